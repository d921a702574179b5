import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import { useAnnounce } from '../../design/announcer';
import { type Act, type Closed, closedText } from './closing';
import { fitting, type LetterFilter } from './letter-filter';

export interface Order {
  act: Act;
  which: { ids: string[] } | { filter: LetterFilter };
}

/** Replays or discards dead letters by id, or all open ones that match a filter. */
export function useCloseLetters() {
  const client = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: ({ act, which }: Order) =>
      'ids' in which ? closeThese(act, which.ids) : close(act, fitting(which.filter)),
    onSuccess: (closed) => announce(closedText(closed)),
    onSettled: () => client.invalidateQueries({ queryKey: ['dead-letters'] }),
  });
}

const BATCH_SIZE = 500;

async function closeThese(act: Act, ids: string[]): Promise<Closed> {
  const closed: Closed = { act, done: 0, refused: [] };
  for (let from = 0; from < ids.length; from += BATCH_SIZE) {
    const { done, refused } = await close(act, { ids: ids.slice(from, from + BATCH_SIZE) });
    closed.done += done;
    closed.refused.push(...refused);
  }
  return closed;
}

async function close(act: Act, body: { ids: string[] } | ReturnType<typeof fitting>): Promise<Closed> {
  if (act === 'replay') {
    const { replayed, refused } = await answer(api.POST('/api/v1/dead-letters/replay', { body }));
    return { act, done: replayed, refused };
  }
  const { discarded, refused } = await answer(api.POST('/api/v1/dead-letters/discard', { body }));
  return { act, done: discarded, refused };
}
