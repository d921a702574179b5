import { type Column, type SQL, sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, instant } from '../../database/columns.js';
import type { WorkDetails } from '../work-result.js';
import type { OutcomeName } from './ended-run.js';

/**
 * Which quarter of a million rows one is in. An index of subjects alone would be written all over its pages, which costs ten times
 * as much log as the rows themselves; of one span after the other it is written in one place.
 */
export const spanOf = (id: Column): SQL => sql`(${id} / 250000)`;

/**
 * The history of runs, for as long as it is kept. Ids are given in the order in which runs ended, about: old rows are found by
 * their ids, because a block range index of times loses its use once the room of deleted rows is filled again.
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
    /** Why it failed or was put off. */
    reason: text(),
    startedAt: instant().notNull(),
    ms: integer().notNull(),
    /** Since it was to run; unknown of one that was put off or tried again. */
    waitedMs: integer(),
    /** Of the process that ran it: its host and process id. */
    worker: text().notNull(),
    /** What came of the work, as its feature names it. */
    result: text(),
    workFailed: boolean().notNull().default(false),
    /** Who had it run, whom the work depended on, and what it brought. */
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
