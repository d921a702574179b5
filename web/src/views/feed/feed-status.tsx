import type { FeedFilter } from './feed-filter';
import { foundInWords, newPostsInWords } from './in-words';
import type { useFeed } from './use-feed';
import type { LiveFeed } from './use-live-feed';
import { useThrottled } from './use-throttled';

const SPOKEN_INTERVAL_MS = 5_000;

interface Props {
  filter: FeedFilter;
  feed: ReturnType<typeof useFeed>;
  live: LiveFeed;
}

/** One line that is always there: how much was found, and whether new posts come by themselves. */
export function FeedStatus({ filter: { q }, feed, live }: Props) {
  const { posts, hasNextPage, isPlaceholderData, isSuccess } = feed;
  const searched = q !== undefined && isSuccess && !isPlaceholderData;
  const lost = live.state === 'lost';
  return (
    <div className="feed-status small soft">
      <p role="status">{searched && foundInWords({ q, count: posts.length, more: hasNextPage })}</p>
      <p role="status" className={lost ? 'late' : undefined}>
        {lost && 'Not live at the moment; trying again …'}
        {!lost && q === undefined && 'Live: new posts come by themselves.'}
      </p>
      <SpokenNews live={live} />
    </div>
  );
}

/** The list tells those who see it; this tells the others, and not too often. */
function SpokenNews({ live: { waiting, missed, slidIn } }: { live: LiveFeed }) {
  const slid = slidIn ? `${newPostsInWords(slidIn)} at the top` : '';
  const text = missed ? 'There are new posts' : waiting ? `${newPostsInWords(waiting)} to show` : slid;
  return (
    <p className="hidden" role="status">
      {useThrottled(text, SPOKEN_INTERVAL_MS)}
    </p>
  );
}
