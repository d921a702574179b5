import { type Column, type SQL, sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, instant } from '../../database/columns.js';
import type { WorkDetails } from '../work-result.js';
import type { OutcomeName } from './ended-run.js';

/**
 * The number of the span of 250,000 ids that a row is in. An index on subjects alone would be written all over its
 * pages, which costs ten times as much WAL as the rows. With the span as its first column it is written in one place.
 */
export const spanOf = (id: Column): SQL => sql`(${id} / 250000)`;

/**
 * The history of runs. Ids are assigned roughly in the order in which runs ended. Old rows are found by id, because a
 * BRIN index on times becomes useless when the space of deleted rows is reused.
 */
export const jobRuns = pgTable(
  'job_runs',
  {
    id: idColumn(),
    queue: text().notNull(),
    jobId: text().notNull(),
    subject: text().notNull(),
    attempt: integer().notNull(),
    outcome: text().$type<OutcomeName>().notNull(),
    reason: text(),
    startedAt: instant().notNull(),
    ms: integer().notNull(),
    waitedMs: integer(),
    /** Host name and process id of the process that ran it. */
    worker: text().notNull(),
    result: text(),
    workFailed: boolean().notNull().default(false),
    cause: text(),
    target: text(),
    details: jsonb().$type<WorkDetails>(),
  },
  (table) => [
    index('job_runs_of_queue').on(table.queue, table.id),
    index('job_runs_of_subject').on(spanOf(table.id), table.subject),
    index('job_runs_failed').on(table.id).where(sql`outcome IN ('failed', 'retried')`),
    index('job_runs_failed_of_queue').on(table.queue, table.id).where(sql`outcome IN ('failed', 'retried')`),
    index('job_runs_work_failed').on(table.id).where(sql`work_failed`),
    index('job_runs_odd').on(table.outcome, table.id).where(sql`outcome NOT IN ('done', 'failed', 'retried')`),
  ],
);
