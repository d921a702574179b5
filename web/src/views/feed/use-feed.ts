import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answer, api } from '../../api/client';
import { type FeedFilter, feedQuery } from './feed-filter';
import { postsOf, withoutRepeats } from './feed-pages';

export const FEED_KEY = 'feed';
export const feedKey = (filter: FeedFilter) => [FEED_KEY, filter];
export const postKey = (id: string | undefined) => ['post', id];
const PAGE = 50;

/** The list stays as it was loaded, so that nothing moves under the reader; the stream brings what is new. */
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

/** A post that the list does not hold: it was opened by its address, or the list was narrowed since. */
export function usePost(id: string | undefined, wanted: boolean) {
  return useQuery({
    queryKey: postKey(id),
    queryFn: () => answer(api.GET('/api/v1/posts/{id}', { params: { path: { id: id ?? '' } } })),
    enabled: wanted && id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
