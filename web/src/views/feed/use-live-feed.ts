import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { type StreamState, useStream } from '../../api/use-stream';
import { useAnnounce } from '../../design/announcer';
import { belongs, type FeedFilter, type Folders, feedAddress } from './feed-filter';
import { type FeedPages, postsOf, withNews } from './feed-pages';
import type { Post } from './post';
import { feedKey, readFeed } from './use-feed';

const GATHER_MS = 1_000;
/** More than this is read anew instead of being held. */
const MAX_HELD = 300;

interface Options {
  filter: FeedFilter;
  folders: Folders;
  /** What is loaded of the list. */
  feed: FeedPages | undefined;
  /** Whether news may show at once: nobody reads anything that they would push away. */
  calm: boolean;
}

export interface LiveFeed {
  /** New posts that wait to be shown. */
  waiting: number;
  /** More came than is told one by one. */
  missed: boolean;
  /** How many the list was given by itself, for those who do not see it. */
  slidIn: number;
  state: StreamState;
  show: () => void;
}

/** Hears of new posts, and holds them until they may be shown. */
export function useLiveFeed({ filter, folders, feed, calm }: Options): LiveFeed {
  const client = useQueryClient();
  const readAnew = useReadAnew(filter);
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
    if (missed) void readAnew();
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

function useReadAnew(filter: FeedFilter): () => Promise<void> {
  const client = useQueryClient();
  const announce = useAnnounce();
  return async () => {
    try {
      client.setQueryData<FeedPages>(feedKey(filter), { pages: [await readFeed(filter)], pageParams: [''] });
    } catch (error) {
      announce(`New posts could not be loaded. ${error instanceof Error ? error.message : error}`);
    }
  };
}

/** Gathers what comes, so that many posts at once are one change of the page. */
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
    timer.current ??= window.setTimeout(release, GATHER_MS);
  };
  // Another list is loaded with all that has come until now.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the filter is what changes the list
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

/** What came while the stream was away is told by the server only to those who had heard something before. */
function useReopened(state: StreamState, act: () => void): void {
  const wasLost = useRef(false);
  const reopened = useEffectEvent(act);
  useEffect(() => {
    if (state === 'open' && wasLost.current) reopened();
    wasLost.current = state === 'lost' || (wasLost.current && state !== 'open');
  }, [state]);
}
