import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { Badge } from '../../../design/badge';
import { ProblemNote } from '../../../design/problem-note';
import { ProgressBar } from '../../../design/progress-bar';
import { Waiting } from '../../../design/waiting';
import { jobPath } from '../job-keys';
import { useJob, useJobStream } from '../jobs/use-jobs';
import { countsOf, countsText, isEnded, jobTitle, progressOf, type ScrapeJob, STATUS_LABELS } from '../scrape-job';
import { LeadsList } from '../table/leads-list';
import { BySource } from './by-source';
import { JobActions } from './job-actions';

export function JobDetails({ id }: { id: string }) {
  const { data: job, error, refetch } = useJob(id);
  useJobStream(job && !isEnded(job) ? id : undefined);
  if (job) return <Shown job={job} />;
  if (error) return <NotThere error={error} onRetry={refetch} />;
  return <Waiting for="search" />;
}

function NotThere({ error, onRetry }: { error: Error; onRetry: () => unknown }) {
  return (
    <>
      <ProblemNote error={error} onRetry={onRetry} />
      <Link href="/leads">← Searches</Link>
    </>
  );
}

function Shown({ job }: { job: ScrapeJob }) {
  const { name, tone } = STATUS_LABELS[job.status];
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const ended = isEnded(job);
  return (
    <article className="job" aria-labelledby="job">
      <div className="row">
        <Link href="/leads">← Searches</Link>
        <h2 id="job" ref={heading} tabIndex={-1}>
          {jobTitle(job)}
        </h2>
        <Badge tone={tone}>{name}</Badge>
        {job.rerun_of && <Link href={jobPath(job.rerun_of)}>Previous run</Link>}
      </div>
      <div className="panel">
        <div className="row job-head">
          <p role="status">{ended && !job.total_found ? 'No results.' : `${countsText(countsOf(job))}.`}</p>
          <JobActions job={job} />
        </div>
        <ProgressBar label="Sources searched" {...progressOf(job)} />
        {job.error && <p className="mistake">{job.error}</p>}
        <BySource parts={job.by_source} />
        <Criteria {...job} />
      </div>
      <LeadsList job={job} />
    </article>
  );
}

function Criteria({ industry, geography, keywords, search_query, filters }: ScrapeJob) {
  const criteria: [string, string | null][] = [
    ['Industry', industry],
    ['Place', geography],
    ['Keywords', keywords.join(', ') || null],
    ['Search query', search_query],
    ...Object.entries(filters).map(([name, value]): [string, string] => [name, formatValue(value)]),
  ];
  return (
    <details>
      <summary>Search criteria</summary>
      <dl className="criteria">
        {criteria.map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </details>
  );
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatValue).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
