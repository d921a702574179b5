import type { Question } from '../../design/confirm-dialog';
import { allInWords } from './letter-filter';
import type { Order } from './use-close-letters';

/** Replaying what one has chosen needs no question; all at once does, and so does discarding, which cannot be taken back. */
export function questionAbout({ act, which }: Order, count: number | undefined, go: () => void): Question | undefined {
  if ('ids' in which && act === 'replay') return undefined;
  const letters = 'ids' in which ? someInWords(which.ids) : allInWords(which.filter, count);
  if (act === 'replay')
    return {
      title: 'Replay all?',
      text: `This runs the jobs of ${letters} again. What fails again comes back as a new dead letter.`,
      action: 'Replay all',
      act: go,
    };
  return {
    title: 'Discard?',
    text: `This discards ${letters}. What is discarded stays listed, but cannot be replayed any more.`,
    action: 'ids' in which ? 'Discard' : 'Discard all',
    act: go,
    isDanger: true,
  };
}

const someInWords = (ids: string[]) => (ids.length === 1 ? `dead letter ${ids[0]}` : `${ids.length} dead letters`);
