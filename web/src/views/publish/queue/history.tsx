import { ProblemNote } from '../../../design/problem-note';
import { Waiting } from '../../../design/waiting';
import { STATUS_LABELS } from '../publication';
import type { Shown } from './queue';
import { QueueList } from './queue-list';
import { usePublicationPages } from './use-queue';

export function History({ shown, account }: { shown: Exclude<Shown, 'queue'>; account: string | undefined }) {
  const status = shown === 'all' ? undefined : shown;
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = usePublicationPages({
    account,
    status,
  });
  if (error && !data) return <ProblemNote error={error} onRetry={refetch} />;
  if (!data) return <Waiting for="publications" />;
  const items = data.pages.flatMap((page) => page.items).filter((one) => status === undefined || one.status === status);
  const title = status === undefined ? 'All publications' : STATUS_LABELS[status].name;
  return (
    <QueueList title={title} items={items} max={items.length} empty="No publications.">
      {hasNextPage && (
        <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? 'Loading more …' : 'Show more'}
        </button>
      )}
    </QueueList>
  );
}
