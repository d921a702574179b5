import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import { Problem } from '../../api/problem';
import { useAnnounce } from '../../design/announcer';
import { type Act, type Closed, closedInWords } from './closing';
import { fitting, type LetterFilter } from './letter-filter';

export interface Order {
  act: Act;
  which: { ids: string[] } | { filter: LetterFilter };
}

/** Replays or discards some letters by their ids, or all open ones that fit a filter. */
export function useCloseLetters() {
  const client = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: ({ act, which }: Order) => ('ids' in which ? closeEach(act, which.ids) : closeAll(act, which.filter)),
    onSuccess: (closed) => announce(closedInWords(closed)),
    onSettled: () => client.invalidateQueries({ queryKey: ['dead-letters'] }),
  });
}

async function closeEach(act: Act, ids: string[]): Promise<Closed> {
  const closed: Closed = { act, done: 0, refused: [] };
  for (const id of ids) {
    try {
      await closeOne(act, id);
      closed.done += 1;
    } catch (error) {
      // Whatever is not about this letter would be said of all the others too.
      if (!(error instanceof Problem) || (error.status !== 409 && error.status !== 404)) throw error;
      closed.refused.push({ id, why: error.message });
    }
  }
  return closed;
}

function closeOne(act: Act, id: string) {
  const params = { path: { id } };
  return act === 'replay'
    ? answer(api.POST('/api/v1/dead-letters/{id}/replay', { params }))
    : answer(api.POST('/api/v1/dead-letters/{id}/discard', { params }));
}

async function closeAll(act: Act, filter: LetterFilter): Promise<Closed> {
  const body = fitting(filter);
  if (act === 'replay') {
    const { replayed, refused } = await answer(api.POST('/api/v1/dead-letters/replay', { body }));
    return { act, done: replayed, refused };
  }
  const { discarded } = await answer(api.POST('/api/v1/dead-letters/discard', { body }));
  return { act, done: discarded, refused: [] };
}
