import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { idColumn, idReference, instant } from '../../platform/database/columns.js';
import { jobColumns, waitingIndex } from '../../platform/jobs/job-columns.js';
import { scrapeJobs } from './scrape-jobs.table.js';

export const PART_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export type PartStatus = (typeof PART_STATUSES)[number];

/** One source type of a scrape job, which is searched, retried and counted by itself. */
export const scrapeParts = pgTable(
  'scrape_parts',
  {
    id: idColumn(),
    scrapeJobId: idReference()
      .notNull()
      .references(() => scrapeJobs.id, { onDelete: 'cascade' }),
    sourceType: text().notNull(),
    status: text({ enum: PART_STATUSES }).notNull().default('queued'),
    /** Leads that the source returned, those that match the keywords, and those of them that were already stored. */
    found: integer().notNull().default(0),
    processed: integer().notNull().default(0),
    duplicates: integer().notNull().default(0),
    error: text(),
    startedAt: instant(),
    completedAt: instant(),
    ...jobColumns(),
  },
  (table) => [
    uniqueIndex('scrape_parts_of_job').on(table.scrapeJobId, table.sourceType),
    waitingIndex('scrape_parts_waiting', table),
    index('scrape_parts_turns').on(table.jobPriority, table.jobOwner).where(sql`job_state = 'waiting'`),
  ],
);
export type ScrapePart = typeof scrapeParts.$inferSelect;
