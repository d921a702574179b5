import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { type StreamState, useStream } from '../../api/use-stream';
import { useAnnounce } from '../../design/announcer';
import { belongs, type FeedFilter, type Folders, feedAddress } from './feed-filter';
import { type FeedPages, postsOf, withNews } from './feed-pages';
import type { Post } from './post';
import { feedKey, readFeed } from './use-feed';

const BATCH_DELAY_MS = 1_000;
/** Reload the list instead of holding more posts than this. */
const MAX_HELD = 300;

interface Options {
  filter: FeedFilter;
  folders: Folders;
  feed: FeedPages | undefined;
  /** Whether new posts may be inserted at once, because nobody is reading further down. */
  calm: boolean;
}

export interface LiveFeed {
  /** Number of new posts not shown yet. */
  waiting: number;
  /** Too many posts arrived; the list has to be reloaded. */
  missed: boolean;
  /** Number of posts inserted automatically last, for screen readers. */
  slidIn: number;
  state: StreamState;
  show: () => void;
}

/** Collects new posts from the stream and holds them until they may be shown. */
export function useLiveFeed({ filter, folders, feed, calm }: Options): LiveFeed {
  const client = useQueryClient();
  const reload = useReload(filter);
  const { news, missed, hold, miss, clear } = useHeld(feedAddress(filter));
  const [slidIn, setSlidIn] = useState(0);
  const state = useStream('/api/v1/feed/stream', ['post', 'reset'], (event, data) => {
    if (event === 'post') hold(data as Post);
    else miss();
  });
  useReopened(state, () => {
    readFeed(filter).then(({ items }) => items.forEach(hold), miss);
  });

  const merged = useMemo(() => {
    const fitting = news.filter((post) => belongs(post, filter, folders));
    return feed && fitting.length ? withNews(feed, fitting) : feed;
  }, [feed, news, filter, folders]);
  const waiting = merged && merged !== feed ? postsOf(merged).length - postsOf(feed).length : 0;

  const show = () => {
    if (missed) void reload();
    else if (merged) client.setQueryData(feedKey(filter), merged);
    clear();
  };
  const showAtOnce = useEffectEvent(() => {
    setSlidIn(waiting);
    show();
  });
  const due = calm && (waiting > 0 || missed);
  useEffect(() => {
    if (due) showAtOnce();
  }, [due]);
  return { waiting, missed, slidIn, state, show };
}

function useReload(filter: FeedFilter): () => Promise<void> {
  const client = useQueryClient();
  const announce = useAnnounce();
  return async () => {
    try {
      client.setQueryData<FeedPages>(feedKey(filter), { pages: [await readFeed(filter)], pageParams: [''] });
    } catch (error) {
      announce(`Could not load new posts. ${error instanceof Error ? error.message : error}`);
    }
  };
}

/** Collects posts for `BATCH_DELAY_MS`, so that a burst causes one render. */
function useHeld(address: string) {
  const [held, setHeld] = useState<{ news: Post[]; missed: boolean }>({ news: [], missed: false });
  const gathered = useRef<Post[]>([]);
  const timer = useRef<number>(undefined);
  const clear = () => setHeld({ news: [], missed: false });
  const miss = () => setHeld({ news: [], missed: true });
  const release = () => {
    timer.current = undefined;
    const come = gathered.current.splice(0);
    setHeld(({ news, missed }) => {
      const all = [...news, ...come];
      return missed || all.length > MAX_HELD ? { news: [], missed: true } : { news: all, missed };
    });
  };
  const hold = (post: Post) => {
    gathered.current.push(post);
    timer.current ??= window.setTimeout(release, BATCH_DELAY_MS);
  };
  // A list that was just loaded already contains the posts held so far.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list changes with the filter
  useEffect(clear, [address]);
  useEffect(
    () => () => {
      window.clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return { ...held, hold, miss, clear };
}

/** The server replays missed posts only to a client that has received an event before, so the list is read again. */
function useReopened(state: StreamState, act: () => void): void {
  const wasLost = useRef(false);
  const reopened = useEffectEvent(act);
  useEffect(() => {
    if (state === 'open' && wasLost.current) reopened();
    wasLost.current = state === 'lost' || (wasLost.current && state !== 'open');
  }, [state]);
}
