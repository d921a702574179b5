import { type Column, type SQL, sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, instant } from '../../database/columns.js';
import type { WorkDetails } from '../work-result.js';
import type { OutcomeName } from './ended-run.js';

/** Alone, an index on subjects costs ten times the WAL of the rows. After this span it is written in one place. */
export const spanOf = (id: Column): SQL => sql`(${id} / 250000)`;

/** Old rows are found by id, which follows time: a BRIN index on times fails once space of deleted rows is reused. */
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
