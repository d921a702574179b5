import { z } from 'zod';
import type { Terminal } from '../command.js';
import { colourOf } from '../show/colour.js';
import { type Column, facts, table } from '../show/table.js';
import { fromNow, howLong, localTime } from '../show/times.js';

const Part = z.object({
  source_type: z.string(),
  status: z.string(),
  found: z.number(),
  processed: z.number(),
  duplicates: z.number(),
  error: z.string().nullable(),
});
type Part = z.infer<typeof Part>;

/** A scrape job, as far as it is shown. */
export const ScrapeJob = z.object({
  id: z.string(),
  status: z.enum(['queued', 'running', 'completed', 'partial', 'failed', 'cancelled']),
  total_found: z.number(),
  total_processed: z.number(),
  duplicates: z.number(),
  error: z.string().nullable(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  by_source: z.array(Part),
  industry: z.string().nullable(),
  geography: z.string().nullable(),
  keywords: z.array(z.string()),
  source_types: z.array(z.string()),
  search_query: z.string().nullable(),
});
export type ScrapeJob = z.infer<typeof ScrapeJob>;

export const hasEnded = ({ status }: ScrapeJob) => status !== 'queued' && status !== 'running';

const wanted = ({ industry, geography, keywords, search_query }: ScrapeJob) =>
  [industry, geography, keywords.join(', '), search_query].filter(Boolean).join('; ');

const counts = (job: ScrapeJob) => `${job.total_found} found, ${job.duplicates} known before`;

export const JOB_COLUMNS: Column<ScrapeJob>[] = [
  { title: 'ID', show: ({ id }) => id },
  { title: 'STATUS', show: ({ status }) => status, colour: ({ status }) => colourOf(status) },
  { title: 'CREATED', show: ({ created_at }) => fromNow(created_at) },
  { title: 'FOUND', show: ({ total_found }) => total_found, align: 'right' },
  { title: 'WANTED', show: wanted, cuts: true },
  { title: 'WHERE', show: ({ source_types }) => source_types.join(', '), cuts: true },
];

const PART_COLUMNS: Column<Part>[] = [
  { title: 'WHERE', show: ({ source_type }) => source_type },
  { title: 'STATUS', show: ({ status }) => status, colour: ({ status }) => colourOf(status) },
  { title: 'FOUND', show: ({ found }) => found, align: 'right' },
  { title: 'KNOWN', show: ({ duplicates }) => duplicates, align: 'right' },
  { title: 'ERROR', show: ({ error }) => error, cuts: true },
];

export function summaryOf(job: ScrapeJob, terminal: Terminal): string {
  const { id, status, error, started_at, completed_at } = job;
  const took = started_at && completed_at && (Date.parse(completed_at) - Date.parse(started_at)) / 1_000;
  const rows = facts([
    ['job', id],
    ['status', status],
    ['wanted', wanted(job)],
    ['leads', counts(job)],
    ['error', error],
    ['started', localTime(started_at)],
    ['took', typeof took === 'number' ? howLong(took) : undefined],
  ]);
  return `${rows}\n${table(PART_COLUMNS, job.by_source, terminal)}`;
}

export function progressOf(job: ScrapeJob) {
  const ended = job.by_source.filter(({ status }) => status !== 'queued' && status !== 'running').length;
  const total = job.by_source.length;
  return { done: ended, total, text: `${job.status}, ${ended} of ${total} places searched; ${counts(job)}` };
}
