import { useInfiniteQuery } from '@tanstack/react-query';
import { answer, api } from '../../api/client';

const LOOK_AGAIN_MS = 10_000;

/** Newest first; asked for again now and then while one of them runs. */
export function useImports() {
  return useInfiniteQuery({
    queryKey: ['imports'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      answer(api.GET('/api/v1/imports', { params: { query: { limit: 20, ...(cursor && { cursor }) } } })),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(({ completedAt }) => !completedAt)) ? LOOK_AGAIN_MS : false,
  });
}
