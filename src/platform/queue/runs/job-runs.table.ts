import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, instant } from '../../database/columns.js';

/** The history of runs, for as long as it is kept. */
export const jobRuns = pgTable(
  'job_runs',
  {
    id: idColumn(),
    queue: text().notNull(),
    jobId: text().notNull(),
    subject: text().notNull(),
    attempt: integer().notNull(),
    /** An OutcomeName. */
    outcome: text().notNull(),
    /** Why it failed or was put off. */
    reason: text(),
    startedAt: instant().notNull(),
    ms: integer().notNull(),
    /** Since it was to run; unknown of one that was put off or tried again. */
    waitedMs: integer(),
    /** Of the process that ran it: its host and process id. */
    worker: text().notNull(),
  },
  (table) => [
    index('job_runs_started').using('brin', table.startedAt).with({ autosummarize: true }),
    index('job_runs_of_subject').on(table.queue, table.subject, table.id),
    index('job_runs_by_outcome').on(table.queue, table.outcome, table.id),
  ],
);
