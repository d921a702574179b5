import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { answer, api } from '../../api/client';
import type { Source } from './source';

export const SOURCES_KEY = ['sources'];
/** Followed by an id: one source and its schedule. */
export const SOURCE_KEY = ['source'];
const PAGE = 100;
const POLL_INTERVAL_MS = 30_000;

/** Loads all pages; loaded pages are available at once. */
export function useSources({ poll = false } = {}) {
  const query = useInfiniteQuery({
    queryKey: SOURCES_KEY,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PAGE, ...(pageParam && { cursor: pageParam }) };
      return answer(api.GET('/api/v1/sources', { params: { query }, signal }));
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: poll && POLL_INTERVAL_MS,
  });
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage, data } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);
  const sources = useMemo<Source[]>(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  return { ...query, sources };
}
