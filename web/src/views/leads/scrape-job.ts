import type { paths } from '../../api/schema';
import type { Tone } from '../../design/badge';
import { countOf } from '../../design/count-of';

export type ScrapeJob = paths['/api/v1/jobs/scrape/{id}']['get']['responses'][200]['content']['application/json'];
export type JobStatus = ScrapeJob['status'];
export type JobPart = ScrapeJob['by_source'][number];

export const STATUS_LABELS: Record<JobStatus, { name: string; tone: Tone }> = {
  queued: { name: 'Queued', tone: 'plain' },
  running: { name: 'Running', tone: 'busy' },
  completed: { name: 'Completed', tone: 'good' },
  partial: { name: 'Partial', tone: 'warning' },
  failed: { name: 'Failed', tone: 'bad' },
  cancelled: { name: 'Cancelled', tone: 'plain' },
};

export const isEnded = ({ completed_at }: ScrapeJob) => completed_at !== null;

export function jobTitle({ industry, geography, keywords, search_query, filters }: ScrapeJob): string {
  const sites = Array.isArray(filters.sites) ? filters.sites.length : 0;
  const what = [industry, search_query && `“${search_query}”`, keywords.join(', ')].filter(Boolean).join(' · ');
  const where = geography ? `in ${geography}` : '';
  const words = [what, where].filter(Boolean).join(' ');
  return words || (sites ? `${sites} ${sites === 1 ? 'site' : 'sites'}` : 'All companies');
}

interface Counts {
  found: number;
  processed: number;
  duplicates: number;
}

export const countsOf = ({ total_found, total_processed, duplicates }: ScrapeJob): Counts => ({
  found: total_found,
  processed: total_processed,
  duplicates,
});

/** "12 found, 10 kept: 7 new, 3 duplicates". */
export function countsText({ found, processed, duplicates }: Counts): string {
  if (!found) return 'No results yet';
  const known = duplicates ? `, ${countOf(duplicates, 'duplicate')}` : '';
  return `${found} found, ${processed} kept: ${processed - duplicates} new${known}`;
}

/** Counts finished source types. The total is 0 (unknown) while a single one is running. */
export function progressOf({ by_source }: Pick<ScrapeJob, 'by_source'>) {
  const ended = by_source.filter(({ completed_at }) => completed_at !== null);
  const failed = ended.filter(({ status }) => status === 'failed').length;
  return { done: ended.length, failed, total: by_source.length > 1 || ended.length ? by_source.length : 0 };
}
