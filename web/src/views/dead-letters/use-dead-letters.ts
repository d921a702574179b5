import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import type { paths } from '../../api/schema';
import { fitting, type LetterFilter } from './letter-filter';

export type DeadLetter = paths['/api/v1/dead-letters/{id}']['get']['responses'][200]['content']['application/json'];

const LIMIT = 50;
const POLL_INTERVAL_MS = 10_000;

const queryOf = ({ state, ...filter }: LetterFilter) => ({ ...fitting(filter), ...(state !== 'all' && { state }) });

/** Newest first. The list is not refetched automatically, so that it does not move while somebody works through it. */
export function useDeadLetters(filter: LetterFilter) {
  return useInfiniteQuery({
    queryKey: ['dead-letters', 'list', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) => {
      const query = { limit: LIMIT, ...queryOf(filter), ...(cursor && { cursor }) };
      return answer(api.GET('/api/v1/dead-letters', { params: { query } }));
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: (previous) => previous,
  });
}

export function useHasNewer(filter: LetterFilter, first: string | undefined): boolean {
  const { data } = useQuery({
    queryKey: ['dead-letters', 'newest', filter],
    queryFn: () => answer(api.GET('/api/v1/dead-letters', { params: { query: { limit: 1, ...queryOf(filter) } } })),
    refetchInterval: POLL_INTERVAL_MS,
  });
  const newest = data?.items[0]?.id;
  return newest !== undefined && (first === undefined || BigInt(newest) > BigInt(first));
}

export function useDeadLetter(id: string) {
  return useQuery({
    queryKey: ['dead-letters', 'one', id],
    queryFn: () => answer(api.GET('/api/v1/dead-letters/{id}', { params: { path: { id } } })),
  });
}

/** Includes removed queues that still have dead letters in the list. */
export function useQueueNames(letters: DeadLetter[]): string[] {
  const { data } = useQuery({
    queryKey: ['queue-names'],
    queryFn: async () => (await answer(api.GET('/api/v1/queues'))).items.map(({ name }) => name),
    staleTime: 60_000,
  });
  return [...new Set([...(data ?? []), ...letters.map(({ queue }) => queue)])].sort();
}
