import { index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { users } from '../../auth/users/users.table.js';
import { idColumn, idReference, instant } from '../../platform/database/columns.js';

/** `partial`: some of the source types failed. */
export const SCRAPE_JOB_STATUSES = ['queued', 'running', 'completed', 'partial', 'failed', 'cancelled'] as const;

export const ScrapeJobStatus = z.enum(SCRAPE_JOB_STATUSES);

/** What was asked for, by whom, and what came of it. The work and the counts are its parts'. */
export const scrapeJobs = pgTable(
  'scrape_jobs',
  {
    id: idColumn(),
    /** As its sender and the API call it. */
    jobId: text().notNull().unique(),
    userId: idReference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    industry: text(),
    geography: text(),
    keywords: text().array().notNull(),
    sourceTypes: text().array().notNull(),
    searchQuery: text(),
    filters: jsonb().$type<Record<string, unknown>>().notNull(),
    status: text({ enum: SCRAPE_JOB_STATUSES }).notNull().default('queued'),
    error: text(),
    /** Of the request that made it: the same again is answered with the same job. */
    idempotencyKey: text(),
    /** The job that it repeats. */
    rerunOf: text(),
    createdAt: instant().notNull().defaultNow(),
    startedAt: instant(),
    completedAt: instant(),
  },
  (table) => [
    index('scrape_jobs_of_user').on(table.userId, table.id),
    uniqueIndex('scrape_jobs_idempotency').on(table.userId, table.idempotencyKey),
  ],
);

export type ScrapeJobStatus = z.infer<typeof ScrapeJobStatus>;

export const isEnded = (status: ScrapeJobStatus) => status !== 'queued' && status !== 'running';
