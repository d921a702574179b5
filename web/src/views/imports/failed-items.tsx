import { Link } from 'wouter';
import { ProblemNote } from '../../design/problem-note';
import { RelativeTime } from '../../design/relative-time';
import { Waiting } from '../../design/waiting';
import { useMe } from '../../session/use-me';
import type { Import } from './use-import';
import { type FailedItem, useFailedItems } from './use-import-parts';

export function FailedItems({ run }: { run: Import }) {
  const failed = useFailedItems(run);
  const isAdmin = useMe().data?.scope === 'admin';
  if (failed.error && !failed.data) return <ProblemNote error={failed.error} onRetry={() => failed.refetch()} />;
  if (!failed.data) return <Waiting for="failed items" />;
  const all = failed.data.pages.flatMap(({ items }) => items);
  if (!all.length) return <p className="soft">No items failed.</p>;
  return (
    <>
      <ul className="import-feeds">
        {all.map((item) => (
          <FailedRow key={item.id} item={item} isAdmin={isAdmin} />
        ))}
      </ul>
      {failed.hasNextPage && (
        <button type="button" disabled={failed.isFetchingNextPage} onClick={() => failed.fetchNextPage()}>
          {failed.isFetchingNextPage ? 'Loading …' : 'Show more failed items'}
        </button>
      )}
    </>
  );
}

function FailedRow({ item, isAdmin }: { item: FailedItem; isAdmin: boolean }) {
  const { externalId, place, reason, failedAt, deadLetterId } = item;
  return (
    <li>
      <div>
        <p className="import-figures">
          <span className="import-address">{externalId ?? `Item ${place} on the page`}</span>
          <span className="soft small">
            <RelativeTime at={failedAt} />
          </span>
        </p>
        <p className="mistake">{reason}</p>
        {isAdmin && deadLetterId && (
          <Link className="small" href={`/dead-letters/${deadLetterId}`}>
            View or replay dead letter {deadLetterId}
          </Link>
        )}
      </div>
    </li>
  );
}
