import { useInfiniteQuery } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import type { paths } from '../../api/schema';
import { fitting, type RunFilter } from './run-filter';

export type Run = paths['/api/v1/runs']['get']['responses'][200]['content']['application/json']['items'][number];

const LIMIT = 10;
const POLL_INTERVAL_MS = 5_000;

/** Newest first. Polling stops once older pages are loaded. */
export function useRuns(filter: RunFilter) {
  return useInfiniteQuery({
    queryKey: ['runs', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      answer(
        api.GET('/api/v1/runs', { params: { query: { limit: LIMIT, ...fitting(filter), ...(cursor && { cursor }) } } }),
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state }) => (state.data && state.data.pages.length > 1 ? false : POLL_INTERVAL_MS),
    placeholderData: (previous) => previous,
  });
}
