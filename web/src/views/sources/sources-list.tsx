import { useDeferredValue, useMemo } from 'react';
import { EmptyState } from '../../design/empty-state';
import { ProblemNote } from '../../design/problem-note';
import { Waiting } from '../../design/waiting';
import { ALL_SOURCES, type Arrangement, arrangeSources } from './arrange-sources';
import { FollowForm } from './follow-form';
import { Opml } from './opml';
import { SourcesFilter } from './sources-filter';
import { SourcesTable } from './sources-table';
import type { Leaving } from './use-leaving';
import { useSources } from './use-sources';

interface Props {
  leaving: Leaving;
  arrangement: Arrangement;
  onArrange: (arrangement: Arrangement) => void;
  /** Id of the source whose details were shown before. */
  cameFrom: string | undefined;
}

export function SourcesList({ leaving, arrangement, onArrange, cameFrom }: Props) {
  const { sources: known, isPending, error, refetch } = useSources({ poll: true });
  const sources = useMemo(() => known.filter(({ id }) => id !== leaving.source?.id), [known, leaving.source]);
  const deferred = useDeferredValue(arrangement);
  const shown = useMemo(() => arrangeSources(sources, deferred), [sources, deferred]);

  return (
    <section className="page">
      <div className="page-head">
        <h1>Sources</h1>
        <Opml />
      </div>
      <FollowForm sources={sources} />
      {isPending && <Waiting for="sources" />}
      {error && <ProblemNote error={error} onRetry={refetch} />}
      {!isPending && !error && !sources.length && <NoSources />}
      {sources.length > 0 && (
        <div className="sources">
          <SourcesFilter {...{ sources, arrangement }} shown={shown.length} onChange={onArrange} />
          {shown.length > 0 && <SourcesTable sources={shown} cameFrom={cameFrom} />}
          {!shown.length && (
            <EmptyState title="No matching sources">
              <button type="button" onClick={() => onArrange({ ...ALL_SOURCES, order: arrangement.order })}>
                Show all
              </button>
            </EmptyState>
          )}
        </div>
      )}
    </section>
  );
}

const EXAMPLES: [what: string, example: string][] = [
  ['a site (Millrace finds its feed)', 'https://blog.example.org'],
  ['a feed (RSS, Atom, JSON Feed)', 'https://example.org/feed.xml'],
  ['a profile on Mastodon or Bluesky, or a YouTube channel', 'https://mastodon.example/@ann'],
];

function NoSources() {
  return (
    <EmptyState title="No sources yet">
      <p>Paste a URL above. It can be:</p>
      <ul className="no-sources">
        {EXAMPLES.map(([what, example]) => (
          <li key={what}>
            {what}: <code>{example}</code>
          </li>
        ))}
      </ul>
      <p>Moving from another reader? Export your subscriptions as OPML and import the file here.</p>
    </EmptyState>
  );
}
