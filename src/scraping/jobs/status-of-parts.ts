import type { ScrapeJobStatus } from './scrape-job-status.js';
import type { PartStatus } from './scrape-parts.table.js';

/** What a job's parts make of it. A cancelled job stays cancelled, whatever its parts still do. */
export function statusOfParts(parts: readonly PartStatus[]): Exclude<ScrapeJobStatus, 'cancelled'> {
  if (parts.every((status) => status === 'queued')) return 'queued';
  if (parts.some((status) => status === 'queued' || status === 'running')) return 'running';
  if (parts.every((status) => status === 'completed')) return 'completed';
  return parts.some((status) => status === 'completed') ? 'partial' : 'failed';
}
