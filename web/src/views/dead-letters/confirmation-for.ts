import type { Confirmation } from '../../design/confirm-dialog';
import { describeAll } from './letter-filter';
import type { Order } from './use-close-letters';

/** Discarding and bulk actions need a confirmation; replaying selected dead letters does not. */
export function confirmationFor(
  { act, which }: Order,
  count: number | undefined,
  go: () => void,
): Confirmation | undefined {
  if ('ids' in which && act === 'replay') return undefined;
  const letters = 'ids' in which ? describeSome(which.ids) : describeAll(which.filter, count);
  if (act === 'replay')
    return {
      title: 'Replay all?',
      text: `This runs the jobs of ${letters} again. A job that fails again becomes a new dead letter.`,
      action: 'Replay all',
      act: go,
    };
  return {
    title: 'Discard?',
    text: `This discards ${letters}. Discarded dead letters stay listed but can no longer be replayed.`,
    action: 'ids' in which ? 'Discard' : 'Discard all',
    act: go,
    isDanger: true,
  };
}

const describeSome = (ids: string[]) => (ids.length === 1 ? `dead letter ${ids[0]}` : `${ids.length} dead letters`);
