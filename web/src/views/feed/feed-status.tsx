import { useEffect, useRef, useState } from 'react';
import type { FeedFilter } from './feed-filter';
import { newPostsText, searchResultText } from './feed-texts';
import type { useFeed } from './use-feed';
import type { LiveFeed } from './use-live-feed';

const SPOKEN_INTERVAL_MS = 5_000;

interface Props {
  filter: FeedFilter;
  feed: ReturnType<typeof useFeed>;
  live: LiveFeed;
}

export function FeedStatus({ filter: { q }, feed, live }: Props) {
  const { posts, hasNextPage, isPlaceholderData, isSuccess } = feed;
  const searched = q !== undefined && isSuccess && !isPlaceholderData;
  const lost = live.state === 'lost';
  return (
    <div className="feed-status small soft">
      <p role="status">{searched && searchResultText({ q, count: posts.length, more: hasNextPage })}</p>
      <p role="status" className={lost ? 'late' : undefined}>
        {lost && 'Connection lost, reconnecting …'}
        {!lost && q === undefined && 'Live'}
      </p>
      <SpokenNews live={live} />
    </div>
  );
}

/** Announces new posts to screen readers, at most every `SPOKEN_INTERVAL_MS`. */
function SpokenNews({ live: { waiting, missed, slidIn } }: { live: LiveFeed }) {
  const slid = slidIn ? `${newPostsText(slidIn)} at the top` : '';
  const text = missed ? 'New posts available' : waiting ? `${newPostsText(waiting)} available` : slid;
  return (
    <p className="hidden" role="status">
      {useThrottled(text, SPOKEN_INTERVAL_MS)}
    </p>
  );
}

/** The value, updated at most once every `intervalMs`. */
function useThrottled<Value>(value: Value, intervalMs: number): Value {
  const [shown, setShown] = useState(value);
  const changedAt = useRef(0);
  useEffect(() => {
    const wait = Math.max(0, changedAt.current + intervalMs - Date.now());
    const timer = window.setTimeout(() => {
      changedAt.current = Date.now();
      setShown(value);
    }, wait);
    return () => window.clearTimeout(timer);
  }, [value, intervalMs]);
  return shown;
}
