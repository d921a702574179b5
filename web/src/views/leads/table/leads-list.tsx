import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ProblemNote } from '../../../design/problem-note';
import { Waiting } from '../../../design/waiting';
import { LEADS } from '../job-keys';
import { isEnded, type ScrapeJob } from '../scrape-job';
import { FilterBar } from './filter-bar';
import { downloadAddress, type LeadFilters, NO_FILTERS } from './lead-filters';
import { LeadsTable } from './leads-table';
import { useLeads } from './use-leads';

/** The leads of one job or, without `job`, all leads. */
export function LeadsList({ job }: { job?: ScrapeJob }) {
  const [filters, setFilters] = useState<LeadFilters>(NO_FILTERS);
  const settled = useDebounced(filters);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useLeads(job?.id, settled);
  useNewLeads(job);
  const leads = data?.pages.flatMap(({ items }) => items);
  const isFiltered = settled !== NO_FILTERS && Object.values(settled).some(Boolean);
  return (
    <section className="leads" aria-labelledby="leads">
      <div className="row leads-head">
        <h2 id="leads">Leads</h2>
        <div className="row">
          <a className="button" download href={downloadAddress(settled, 'csv', job?.id)}>
            Download CSV
          </a>
          <a className="button" download href={downloadAddress(settled, 'jsonl', job?.id)}>
            Download JSON Lines
          </a>
        </div>
      </div>
      <FilterBar filters={filters} onChange={setFilters} types={job?.source_types} />
      {error && <ProblemNote error={error} onRetry={refetch} />}
      {!leads && !error && <Waiting for="leads" />}
      {leads && leads.length > 0 && <LeadsTable leads={leads} />}
      {leads?.length === 0 && <p className="soft">{emptyText(isFiltered, job)}</p>}
      {hasNextPage && (
        <div className="row">
          <button type="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? 'Loading more …' : 'Show more leads'}
          </button>
        </div>
      )}
    </section>
  );
}

/** Leads have no stream, so the list is reloaded when the counts of the job change. */
function useNewLeads(job: ScrapeJob | undefined): void {
  const client = useQueryClient();
  const processed = job?.total_processed;
  const status = job?.status;
  useEffect(() => {
    if (processed !== undefined && status !== undefined) void client.invalidateQueries({ queryKey: [LEADS, job?.id] });
  }, [client, processed, status, job?.id]);
}

function emptyText(isFiltered: boolean, job: ScrapeJob | undefined): string {
  if (isFiltered) return 'No leads match these filters.';
  if (!job) return 'No leads yet. Start a search to find some.';
  if (!isEnded(job)) return 'Leads appear here as they are found.';
  return 'No leads found. Try fewer keywords, another place or more sites.';
}

const DEBOUNCE_MS = 300;

/** The value once it has not changed for `DEBOUNCE_MS`. */
function useDebounced<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), DEBOUNCE_MS);
    return () => window.clearTimeout(timer);
  }, [value]);
  return settled;
}
