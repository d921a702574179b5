import { z } from 'zod';

/** `partial`: some of the source types failed. */
export const SCRAPE_JOB_STATUSES = ['queued', 'running', 'completed', 'partial', 'failed', 'cancelled'] as const;

export const ScrapeJobStatus = z.enum(SCRAPE_JOB_STATUSES);
export type ScrapeJobStatus = z.infer<typeof ScrapeJobStatus>;

export const isEnded = (status: ScrapeJobStatus) => status !== 'queued' && status !== 'running';
