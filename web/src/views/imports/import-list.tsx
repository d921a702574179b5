import { useInfiniteQuery } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import { EmptyState } from '../../design/empty-state';
import { ProblemNote } from '../../design/problem-note';
import { Waiting } from '../../design/waiting';
import { ImportRow } from './import-row';
import { NewImportForm } from './new-import-form';

/** Browsers limit connections per server. Imports beyond this number are polled instead. */
const MAX_STREAMS = 2;

export function ImportList() {
  return (
    <section className="page">
      <h1>Imports</h1>
      <div className="imports">
        <NewImportForm />
        <section className="panel" aria-labelledby="your-imports">
          <h2 id="your-imports">Your imports</h2>
          <Rows />
        </section>
      </div>
    </section>
  );
}

function Rows() {
  const imports = useImports();
  if (imports.error && !imports.data) return <ProblemNote error={imports.error} onRetry={() => imports.refetch()} />;
  if (!imports.data) return <Waiting for="your imports" />;
  const all = imports.data.pages.flatMap(({ items }) => items);
  const streamed = new Set(
    all
      .filter(({ completedAt }) => !completedAt)
      .slice(0, MAX_STREAMS)
      .map(({ id }) => id),
  );
  if (!all.length) return <NoImports />;
  return (
    <>
      <ul className="import-list">
        {all.map((run) => (
          <ImportRow key={run.id} given={run} isStreamed={streamed.has(run.id)} />
        ))}
      </ul>
      {imports.hasNextPage && (
        <button type="button" disabled={imports.isFetchingNextPage} onClick={() => imports.fetchNextPage()}>
          {imports.isFetchingNextPage ? 'Loading …' : 'Show older imports'}
        </button>
      )}
    </>
  );
}

function NoImports() {
  return (
    <EmptyState title="No imports yet">
      <p>
        Paste feed URLs into the form, or choose an OPML file exported from another reader. Importing a feed twice
        creates no duplicates.
      </p>
    </EmptyState>
  );
}

const POLL_INTERVAL_MS = 10_000;

/** Newest first. The list is polled while an import runs. */
function useImports() {
  return useInfiniteQuery({
    queryKey: ['imports'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      answer(api.GET('/api/v1/imports', { params: { query: { limit: 20, ...(cursor && { cursor }) } } })),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(({ completedAt }) => !completedAt)) ? POLL_INTERVAL_MS : false,
  });
}
