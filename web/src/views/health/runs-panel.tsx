import { Link } from 'wouter';
import { Badge } from '../../design/badge';
import { ProblemNote } from '../../design/problem-note';
import { RelativeTime } from '../../design/relative-time';
import { Waiting } from '../../design/waiting';
import { type RunFilter, SHOWN } from './run-filter';
import { OUTCOME_LABELS, runSummary } from './run-summary';
import { useQueues } from './use-health';
import { type Run, useRuns } from './use-runs';

interface Props {
  filter: RunFilter;
  onChange: (filter: RunFilter) => void;
}

export function RunsPanel({ filter, onChange }: Props) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useRuns(filter);
  const runs = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <section className="panel" aria-labelledby="runs">
      <div className="page-head">
        <h2 id="runs" tabIndex={-1}>
          Runs
        </h2>
        <RunFilters filter={filter} onChange={onChange} />
      </div>
      {error && !data && <ProblemNote error={error} onRetry={() => refetch()} />}
      {!error && !data && <Waiting for="runs" />}
      {data && !runs.length && <p className="soft">{emptyText(filter)}</p>}
      <ul className="health-runs">
        {runs.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? 'Loading more …' : 'Show older runs'}
        </button>
      )}
    </section>
  );
}

function RunFilters({ filter, onChange }: Props) {
  const { data } = useQueues();
  const names = data?.items.map(({ name }) => name) ?? [];
  const known = !filter.queue || names.includes(filter.queue) ? names : [...names, filter.queue];
  return (
    <search className="row small" aria-label="Filter runs">
      <label className="row">
        Show
        <select
          value={filter.show}
          onChange={({ target }) => onChange({ ...filter, show: target.value as RunFilter['show'] })}
        >
          {SHOWN.map(([show, name]) => (
            <option key={show} value={show}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="row">
        in
        <select value={filter.queue} onChange={({ target }) => onChange({ ...filter, queue: target.value })}>
          <option value="">all queues</option>
          {known.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
    </search>
  );
}

function emptyText({ show, queue }: RunFilter): string {
  const where = queue ? ` in ${queue}` : '';
  if (show === 'failed') return `No failed runs${where} in the stored history.`;
  if (show === 'later') return `No postponed runs${where} in the stored history.`;
  return `No runs${where} in the stored history.`;
}

function RunRow({ run }: { run: Run }) {
  const { queue, subject, outcome, result, target, reason, startedAt, worker, deadLetterId } = run;
  const { name, tone } = OUTCOME_LABELS[outcome];
  return (
    <li className="health-run">
      <p className="row">
        <Badge tone={tone}>{name}</Badge>
        {result && <Badge tone="plain">{result.replaceAll('_', ' ')}</Badge>}
        <strong>{queue}</strong>
        <span className="health-subject">{subject}</span>
        <span className="soft small">
          <RelativeTime at={startedAt} />
        </span>
      </p>
      {reason && <p className="health-reason">{reason}</p>}
      <p className="soft small">
        {runSummary(run)}, on {worker}
        {target && ` · ${target}`}
        {deadLetterId && (
          <>
            {' '}
            · <Link href={`/dead-letters/${deadLetterId}?state=all`}>Dead letter {deadLetterId}</Link>
          </>
        )}
      </p>
    </li>
  );
}
