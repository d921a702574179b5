import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { answer, api } from '../../api/client';
import { useAnnounce } from '../../design/announcer';
import { useKeys } from '../../keyboard/use-keys';
import { type FeedFilter, feedAddress } from './feed-filter';
import { refreshText } from './feed-texts';
import { SEARCH_ID } from './search-box';
import { postKey, type useFeed, usePost } from './use-feed';
import { useMarks } from './use-marks';

interface Options {
  feed: ReturnType<typeof useFeed>;
  filter: FeedFilter;
  openId: string | undefined;
  askToReadAll: () => void;
}

export type ReadingState = ReturnType<typeof useReading>;

export function useReading({ feed: { posts, isPending }, filter, openId, askToReadAll }: Options) {
  const [, navigate] = useLocation();
  const marks = useMarks();
  const refresh = useRefresh();
  const at = posts.findIndex(({ id }) => id === openId);
  const found = usePost(openId, at < 0 && !isPending);
  const post = openId === undefined ? undefined : (posts[at] ?? found.data);
  useRead(post, marks.setRead);

  const [previous, next] = [posts[at - 1], posts[at + 1]];
  const open = (id: string | undefined) => navigate(feedAddress(filter, id), { replace: openId !== undefined });
  const toggleRead = () => post && marks.setRead(post, !post.read);
  const toggleStar = () => post && marks.setStarred(post, !post.starred);
  const goTo = (other: typeof post) => other && open(other.id);
  useKeys({
    j: () => goTo(next),
    k: () => goTo(previous),
    o: () => post?.url && window.open(post.url, '_blank', 'noopener,noreferrer'),
    m: toggleRead,
    s: toggleStar,
    r: refresh,
    A: askToReadAll,
    '/': () => document.getElementById(SEARCH_ID)?.focus(),
    ...(openId !== undefined && { Escape: () => open(undefined) }),
  });
  return { post, problem: found.error, retry: found.refetch, previous, next, goTo, toggleRead, toggleStar, refresh };
}

/** Marks a post as read when it is opened, but not again, so that it can be marked as unread while it is open. */
function useRead(post: Options['feed']['posts'][number] | undefined, setRead: ReturnType<typeof useMarks>['setRead']) {
  const client = useQueryClient();
  const opened = useEffectEvent(() => {
    if (!post) return;
    client.setQueryData(postKey(post.id), post);
    if (!post.read) setRead(post, true);
  });
  const id = post?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per opened post
  useEffect(() => opened(), [id]);
}

function useRefresh() {
  const announce = useAnnounce();
  return async () => {
    try {
      const { requested } = await answer(api.POST('/api/v1/feed/refresh', { body: {} }));
      announce(refreshText(requested));
    } catch (error) {
      announce(`Could not refresh. ${error instanceof Error ? error.message : error}`);
    }
  };
}
