import { ProblemNote } from '../../design/problem-note';
import { Waiting } from '../../design/waiting';
import { itemsText } from './import-texts';
import { StatusBadge } from './status-badge';
import type { Import } from './use-import';
import { type ImportFeed, useImportFeeds } from './use-import-parts';

export function ImportFeeds({ run, status }: { run: Import; status?: ImportFeed['status'] }) {
  const feeds = useImportFeeds(run, status);
  if (feeds.error && !feeds.data) return <ProblemNote error={feeds.error} onRetry={() => feeds.refetch()} />;
  if (!feeds.data) return <Waiting for="feeds" />;
  const all = feeds.data.pages.flatMap(({ items }) => items);
  if (!all.length) return <p className="soft">{status ? `No ${status} feeds.` : 'This import has no feeds.'}</p>;
  return (
    <>
      <ul className="import-feeds">
        {all.map((feed) => (
          <FeedRow key={feed.id} feed={feed} />
        ))}
      </ul>
      {feeds.hasNextPage && (
        <button type="button" disabled={feeds.isFetchingNextPage} onClick={() => feeds.fetchNextPage()}>
          {feeds.isFetchingNextPage ? 'Loading …' : 'Show more feeds'}
        </button>
      )}
    </>
  );
}

function FeedRow({ feed: { url, status, error, items } }: { feed: ImportFeed }) {
  return (
    <li>
      <StatusBadge status={status} />
      <div>
        <p className="import-figures">
          <FeedAddress url={url} />
          {items.found > 0 && <span className="soft small">{itemsText(items)}</span>}
        </p>
        {error && <p className={status === 'failed' ? 'mistake' : 'hint'}>{error}</p>}
      </div>
    </li>
  );
}

/** Users may submit anything, so only web addresses become links. */
function FeedAddress({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return <span className="import-address">{url}</span>;
  return (
    <a className="import-address" href={url} target="_blank" rel="noopener noreferrer">
      {url}
    </a>
  );
}
