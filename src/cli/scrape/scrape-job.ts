import type { Answer } from '../api/api-client.js';
import type { Terminal } from '../command.js';
import { type Column, facts, table } from '../show/table.js';
import { colourOf } from '../show/text.js';
import { fromNow, howLong, localTime } from '../show/times.js';

export type ScrapeJob = Answer<'get', '/jobs/scrape/{id}'>;
type Part = ScrapeJob['by_source'][number];

export const hasEnded = ({ status }: ScrapeJob) => status !== 'queued' && status !== 'running';

const criteriaOf = ({ industry, geography, keywords, search_query }: ScrapeJob) =>
  [industry, geography, keywords.join(', '), search_query].filter(Boolean).join('; ');

const counts = (job: ScrapeJob) => `${job.total_found} found, ${job.duplicates} already known`;

export const JOB_COLUMNS: Column<ScrapeJob>[] = [
  { title: 'ID', show: ({ id }) => id },
  { title: 'STATUS', show: ({ status }) => status, colour: ({ status }) => colourOf(status) },
  { title: 'CREATED', show: ({ created_at }) => fromNow(created_at) },
  { title: 'FOUND', show: ({ total_found }) => total_found, align: 'right' },
  { title: 'CRITERIA', show: criteriaOf, truncates: true },
  { title: 'SOURCES', show: ({ source_types }) => source_types.join(', '), truncates: true },
];

const PART_COLUMNS: Column<Part>[] = [
  { title: 'SOURCE', show: ({ source_type }) => source_type },
  { title: 'STATUS', show: ({ status }) => status, colour: ({ status }) => colourOf(status) },
  { title: 'FOUND', show: ({ found }) => found, align: 'right' },
  { title: 'KNOWN', show: ({ duplicates }) => duplicates, align: 'right' },
  { title: 'ERROR', show: ({ error }) => error, truncates: true },
];

function ignoredFilters({ by_source }: ScrapeJob): string | undefined {
  const parts = by_source.filter(({ ignored_filters }) => ignored_filters.length);
  const texts = parts.map(({ source_type, ignored_filters }) => `${ignored_filters.join(', ')} (${source_type})`);
  return texts.join('; ') || undefined;
}

export function summaryOf(job: ScrapeJob, terminal: Terminal): string {
  const { id, status, error, started_at, completed_at } = job;
  const seconds = started_at && completed_at && (Date.parse(completed_at) - Date.parse(started_at)) / 1_000;
  const rows = facts([
    ['job', id],
    ['status', status],
    ['criteria', criteriaOf(job)],
    ['leads', counts(job)],
    ['error', error],
    ['filters not applied', ignoredFilters(job)],
    ['started', localTime(started_at)],
    ['duration', typeof seconds === 'number' ? howLong(seconds) : undefined],
  ]);
  return `${rows}\n${table(PART_COLUMNS, job.by_source, terminal)}`;
}

export function progressOf(job: ScrapeJob) {
  const ended = job.by_source.filter(({ status }) => status !== 'queued' && status !== 'running').length;
  const total = job.by_source.length;
  return { done: ended, total, text: `${job.status}, ${ended} of ${total} sources searched; ${counts(job)}` };
}
