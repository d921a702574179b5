import { boolean, index, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, instant } from '../database/columns.js';

/** Runs that ended because their process died. A row is written when the job is next picked up. */
export const jobDeaths = pgTable(
  'job_deaths',
  {
    id: idColumn(),
    queue: text().notNull(),
    subject: text().notNull(),
    noticedAt: instant().notNull().defaultNow(),
    /** Only suspects of the quarantine ran in the process, so either one of them ended it or somebody outside did. */
    wasAlone: boolean().notNull(),
    /** The job was identified as the cause and became a dead letter. */
    isCause: boolean().notNull().default(false),
  },
  (table) => [
    index('job_deaths_noticed').on(table.noticedAt),
    index('job_deaths_subject').on(table.queue, table.subject),
  ],
);
