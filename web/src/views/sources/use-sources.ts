import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { answer, api } from '../../api/client';
import type { Source } from './source';

export const SOURCES_KEY = ['sources'];
/** With an id: one source, and when it is fetched. */
export const SOURCE_KEY = ['source'];
const PAGE = 100;
const LOOK_AGAIN_MS = 30_000;

/** All that one follows, page after page; what has come is there at once. */
export function useSources({ lookAgain = false } = {}) {
  const query = useInfiniteQuery({
    queryKey: SOURCES_KEY,
    queryFn: ({ pageParam, signal }) => {
      const asked = { limit: PAGE, ...(pageParam && { cursor: pageParam }) };
      return answer(api.GET('/api/v1/sources', { params: { query: asked }, signal }));
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: lookAgain && LOOK_AGAIN_MS,
  });
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage, data } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);
  const sources = useMemo<Source[]>(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  return { ...query, sources };
}
