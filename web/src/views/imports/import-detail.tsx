import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useAnnounce } from '../../design/announcer';
import { countOf } from '../../design/count-of';
import { ProblemNote } from '../../design/problem-note';
import { Waiting } from '../../design/waiting';
import { FailedItems } from './failed-items';
import { ImportActions } from './import-actions';
import { ImportFeeds } from './import-feeds';
import { ImportProgress } from './import-progress';
import { feedsText } from './import-texts';
import { StatusBadge } from './status-badge';
import { type Import, useImport } from './use-import';

export function ImportDetail({ id }: { id: string }) {
  const { data: run, error, refetch } = useImport(id);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useAnnounceEnd(run);
  return (
    <section className="page">
      <Link href="/imports" className="import-back">
        ← All imports
      </Link>
      <div className="page-head">
        <h1 ref={heading} tabIndex={-1} className="row">
          Import {id} {run && <StatusBadge status={run.status} />}
        </h1>
        {run && <ImportActions run={run} />}
      </div>
      {error && !run && <ProblemNote error={error} onRetry={() => refetch()} />}
      {!error && !run && <Waiting for={`import ${id}`} />}
      {run && (
        <>
          <ImportProgress run={run} />
          <ImportParts run={run} />
        </>
      )}
    </section>
  );
}

/** Announces the end only to a user who has seen the import run. */
function useAnnounceEnd(run: Import | undefined): void {
  const announce = useAnnounce();
  const watched = useRef(false);
  useEffect(() => {
    if (!run) return;
    if (!run.completedAt) watched.current = true;
    else if (watched.current) {
      watched.current = false;
      announce(`Import ${run.id} ${run.status}: ${feedsText(run.feeds)}, ${countOf(run.items.new, 'new item')}.`);
    }
  }, [run, announce]);
}

type Choice = 'feeds' | 'failed feeds' | 'failed items';

function ImportParts({ run }: { run: Import }) {
  const [choice, setChoice] = useState<Choice>('feeds');
  const choices: [Choice, string][] = [
    ['feeds', `All feeds (${run.feeds.total.toLocaleString('en')})`],
    ['failed feeds', `Failed feeds (${run.feeds.failed.toLocaleString('en')})`],
    ['failed items', `Failed items (${run.items.failed.toLocaleString('en')})`],
  ];
  return (
    <section className="panel" aria-labelledby="parts">
      <h2 id="parts" className="hidden">
        Feeds and failures
      </h2>
      <div className="row import-parts-choice">
        {choices.map(([name, label]) => (
          <button key={name} type="button" aria-pressed={choice === name} onClick={() => setChoice(name)}>
            {label}
          </button>
        ))}
      </div>
      {choice === 'feeds' && <ImportFeeds run={run} />}
      {choice === 'failed feeds' && <ImportFeeds run={run} status="failed" />}
      {choice === 'failed items' && <FailedItems run={run} />}
    </section>
  );
}
