import { index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { users } from '../auth/users.table.js';
import { idColumn, idReference, instant } from '../platform/database/columns.js';
import { jobColumns, waitingIndex } from '../platform/queue/job-rows.js';
import { SCRAPE_JOB_STATUSES } from './scrape-job-status.js';

/** What was asked for, by whom, and what came of it. A new row waits for its job. */
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
    totalFound: integer().notNull().default(0),
    totalProcessed: integer().notNull().default(0),
    duplicates: integer().notNull().default(0),
    error: text(),
    createdAt: instant().notNull().defaultNow(),
    startedAt: instant(),
    completedAt: instant(),
    ...jobColumns(),
  },
  (table) => [index('scrape_jobs_of_user').on(table.userId, table.id), waitingIndex('scrape_jobs_waiting', table)],
);
