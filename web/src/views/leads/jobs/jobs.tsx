import { useState } from 'react';
import { EmptyState } from '../../../design/empty-state';
import { ProblemNote } from '../../../design/problem-note';
import { Waiting } from '../../../design/waiting';
import { isEnded, type JobStatus, type ScrapeJob, STATUS_LABELS } from '../scrape-job';
import { NewSearch } from '../search/new-search';
import { JobRow } from './job-row';
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
        <p>
          Describe the companies that you are looking for and where. To try it out, enter a few company sites.
        </p>
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
