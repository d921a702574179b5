import { useState } from 'react';
import { Link } from 'wouter';
import { Badge } from '../../../design/badge';
import { EmptyState } from '../../../design/empty-state';
import { ProblemNote } from '../../../design/problem-note';
import { ProgressBar } from '../../../design/progress-bar';
import { RelativeTime } from '../../../design/relative-time';
import { Waiting } from '../../../design/waiting';
import { jobPath } from '../job-keys';
import {
  countsOf,
  countsText,
  isEnded,
  type JobStatus,
  jobTitle,
  progressOf,
  type ScrapeJob,
  STATUS_LABELS,
} from '../scrape-job';
import { NewSearch } from '../search/new-search';
import { sourceName } from '../search/source-types';
import { MAX_STREAMED, useJobStream, useJobs } from './use-jobs';

export function Jobs() {
  const [status, setStatus] = useState<JobStatus>();
  const [isNew, setNew] = useState(false);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useJobs(status);
  const jobs = data?.pages.flatMap(({ items }) => items);
  const streamed = jobs?.filter((job) => !isEnded(job)).slice(0, MAX_STREAMED) ?? [];
  if (error && !jobs) return <ProblemNote error={error} onRetry={refetch} />;
  if (!jobs) return <Waiting for="your searches" />;
  if (!jobs.length && !status) return <FirstSearch />;
  return (
    <>
      {streamed.map(({ id }) => (
        <JobStream key={id} id={id} />
      ))}
      {isNew && <NewSearch onClose={() => setNew(false)} />}
      <div className="row">
        {!isNew && (
          <button type="button" className="primary" onClick={() => setNew(true)}>
            New search
          </button>
        )}
        <StatusFilter status={status} onChange={setStatus} />
      </div>
      <JobList jobs={jobs} />
      {hasNextPage && (
        <div className="row">
          <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? 'Loading more …' : 'Show more'}
          </button>
        </div>
      )}
    </>
  );
}

function JobList({ jobs }: { jobs: ScrapeJob[] }) {
  return (
    <section aria-labelledby="searches">
      <h2 id="searches" className="hidden">
        Searches
      </h2>
      {jobs.length ? (
        <ul className="panel job-rows">
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} />
          ))}
        </ul>
      ) : (
        <p className="soft">No searches with this status.</p>
      )}
    </section>
  );
}

function FirstSearch() {
  return (
    <>
      <EmptyState title="No searches yet">
        <p>Describe the companies that you are looking for and where. To try it out, enter a few company sites.</p>
      </EmptyState>
      <NewSearch />
    </>
  );
}

function JobStream({ id }: { id: string }) {
  useJobStream(id);
  return null;
}

function StatusFilter({ status, onChange }: { status: JobStatus | undefined; onChange: (status?: JobStatus) => void }) {
  return (
    <label className="lead-filter">
      Show
      <select
        value={status ?? ''}
        onChange={({ target }) => onChange((target.value || undefined) as JobStatus | undefined)}
      >
        <option value="">all searches</option>
        {Object.entries(STATUS_LABELS).map(([value, { name }]) => (
          <option key={value} value={value}>
            {name.toLowerCase()}
          </option>
        ))}
      </select>
    </label>
  );
}

function JobRow({ job }: { job: ScrapeJob }) {
  const { name, tone } = STATUS_LABELS[job.status];
  return (
    <li className="job-row">
      <Badge tone={tone}>{name}</Badge>
      <Link href={jobPath(job.id)} className="job-title">
        {jobTitle(job)}
      </Link>
      <span className="soft small">{job.source_types.map(sourceName).join(', ')}</span>
      <span className="job-when soft small">
        <RelativeTime at={job.created_at} />
      </span>
      <div className="job-progress">
        {!isEnded(job) && <ProgressBar label={`Progress of ${jobTitle(job)}`} {...progressOf(job)} />}
      </div>
      <span className="job-counts small">
        {isEnded(job) && !job.total_found ? 'No results' : countsText(countsOf(job))}
      </span>
      {job.error && <span className="job-error mistake">{job.error}</span>}
    </li>
  );
}
