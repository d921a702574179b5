import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { users } from '../../auth/users/users.table.js';
import { idColumn, idReference, instant } from '../../platform/database/columns.js';

/** `partial`: some of the source types failed. */
export const SCRAPE_JOB_STATUSES = ['queued', 'running', 'completed', 'partial', 'failed', 'cancelled'] as const;

export const ScrapeJobStatus = z.enum(SCRAPE_JOB_STATUSES);

/** A user's request for leads and its result. The work and the counts belong to its parts. */
export const scrapeJobs = pgTable(
  'scrape_jobs',
  {
    id: idColumn(),
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
    /** Sums of the counts of its parts, for those who read the table with SQL. A trigger updates them. */
    totalFound: integer().notNull().default(0),
    totalProcessed: integer().notNull().default(0),
    duplicates: integer().notNull().default(0),
    /** The idempotency key of the request. The same request again returns the same job. */
    idempotencyKey: text(),
    rerunOf: text(),
    createdAt: instant().notNull().defaultNow(),
    startedAt: instant(),
    completedAt: instant(),
    /** When it was published to `scrape_jobs`, for a worker of another service. */
    publishedAt: instant(),
    /** Until then a published job waits for a result. */
    answerBy: instant(),
    /** When waiting ended without a valid final result, which may still arrive and then counts. */
    gaveUpAt: instant(),
    /** Hashes of the results that were stored, so that a result that is delivered twice counts once. */
    resultHashes: text().array().notNull().default([]),
  },
  (table) => [
    index('scrape_jobs_of_user').on(table.userId, table.id),
    uniqueIndex('scrape_jobs_idempotency').on(table.userId, table.idempotencyKey),
  ],
);

export type ScrapeJobRow = typeof scrapeJobs.$inferSelect;

export type ScrapeJobStatus = z.infer<typeof ScrapeJobStatus>;

export const isEnded = (status: ScrapeJobStatus) => status !== 'queued' && status !== 'running';
