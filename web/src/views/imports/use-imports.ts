import { useInfiniteQuery } from '@tanstack/react-query';
import { answer, api } from '../../api/client';

const POLL_INTERVAL_MS = 10_000;

/** Newest first. The list is polled while an import runs. */
export function useImports() {
  return useInfiniteQuery({
    queryKey: ['imports'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      answer(api.GET('/api/v1/imports', { params: { query: { limit: 20, ...(cursor && { cursor }) } } })),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(({ completedAt }) => !completedAt)) ? POLL_INTERVAL_MS : false,
  });
}
