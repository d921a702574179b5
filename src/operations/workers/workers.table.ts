import { boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.js';
import type { ResolutionProblem } from '../../platform/http/resolution-times.js';
import type { RunningJob } from '../../platform/jobs/worker-pool.js';

/** Reports of all processes, whatever their roles. Rows are written and removed like those of workers. */
export const processReports = pgTable('process_clocks', {
  id: text().primaryKey(),
  host: text().notNull(),
  pid: integer().notNull(),
  roles: jsonb().$type<string[]>().notNull(),
  /** Milliseconds that the clock of the process is ahead of PostgreSQL's. An integer holds 24 days. */
  skewMs: integer().notNull(),
  /** The process takes no work, because its heap is nearly used up. */
  isMemoryLow: boolean().notNull().default(false),
  heapPercent: integer().notNull().default(0),
  /** The longest stall of the event loop in the last minute, in milliseconds. */
  maxStallMs: integer().notNull().default(0),
  seenAt: instant().notNull().defaultNow(),
});

/** The running jobs of a pool and its concurrency. */
export interface BusyPool {
  queue: string;
  running: number;
  concurrency: number;
  /** Some running jobs, longest running first. Processes of an earlier version do not report them. */
  jobs?: RunningJob[];
}

/** Processes that run jobs. Each updates its row every few seconds and deletes it when it stops. */
export const workers = pgTable('workers', {
  id: text().primaryKey(),
  host: text().notNull(),
  pid: integer().notNull(),
  roles: jsonb().$type<string[]>().notNull(),
  version: text().notNull(),
  running: jsonb().$type<BusyPool[]>().notNull(),
  /** The problem of name resolution as this process sees it. */
  resolutionProblem: jsonb().$type<ResolutionProblem>(),
  startedAt: instant().notNull().defaultNow(),
  lastSeenAt: instant().notNull().defaultNow(),
});
export type WorkerRow = typeof workers.$inferSelect;
