import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answer, api } from '../../api/client';
import { type FeedFilter, feedQuery } from './feed-filter';
import { postsOf, withoutRepeats } from './feed-pages';

export const FEED_KEY = 'feed';
export const feedKey = (filter: FeedFilter) => [FEED_KEY, filter];
export const postKey = (id: string | undefined) => ['post', id];
const PAGE = 50;

/** Loaded pages are never refetched, so that rows do not move while reading. New posts come from the stream. */
export function useFeed(filter: FeedFilter) {
  const query = useInfiniteQuery({
    queryKey: feedKey(filter),
    queryFn: ({ pageParam, signal }) => readFeed(filter, { cursor: pageParam, signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const posts = useMemo(() => withoutRepeats(postsOf(query.data)), [query.data]);
  return { ...query, posts };
}

export function readFeed(filter: FeedFilter, { cursor, signal }: { cursor?: string; signal?: AbortSignal } = {}) {
  const query = { ...feedQuery(filter), limit: PAGE, ...(cursor && { cursor }) };
  return answer(api.GET('/api/v1/feed', { params: { query }, ...(signal && { signal }) }));
}

/** Loads a post that is not in the list, because it was opened by URL or the filter has changed. */
export function usePost(id: string | undefined, enabled: boolean) {
  return useQuery({
    queryKey: postKey(id),
    queryFn: () => answer(api.GET('/api/v1/posts/{id}', { params: { path: { id: id ?? '' } } })),
    enabled: enabled && id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
