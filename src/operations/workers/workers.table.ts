import { boolean, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.js';
import type { ResolutionProblem } from '../../platform/http/resolution-times.js';
import type { RunningJob } from '../../platform/queue/worker-pool.js';

/** What each process reports about itself, whatever its roles. Rows are written and removed as those of workers. */
export const processReports = pgTable('process_clocks', {
  id: text().primaryKey(),
  host: text().notNull(),
  pid: integer().notNull(),
  roles: jsonb().$type<string[]>().notNull(),
  /** How far its clock is ahead of PostgreSQL's, in milliseconds; negative if it is behind. An integer holds 24 days. */
  skewMs: integer().notNull(),
  /** It takes no work, because its heap is nearly used up. */
  isMemoryLow: boolean().notNull().default(false),
  heapPercent: integer().notNull().default(0),
  /** The longest stall of its event loop in the last minute, in milliseconds. */
  maxStallMs: integer().notNull().default(0),
  seenAt: instant().notNull().defaultNow(),
});

/** What a pool does: jobs that run, and how many may. */
export interface BusyPool {
  queue: string;
  running: number;
  concurrency: number;
  /** Some of those that run, longest running first; not told by processes of an earlier version. */
  jobs?: RunningJob[];
}

/** Processes that run jobs. Each writes its row again every few seconds, by the database's clock, and takes it away when it stops. */
export const workers = pgTable('workers', {
  id: text().primaryKey(),
  host: text().notNull(),
  pid: integer().notNull(),
  roles: jsonb().$type<string[]>().notNull(),
  version: text().notNull(),
  running: jsonb().$type<BusyPool[]>().notNull(),
  /** What is wrong with name resolution as this process sees it. */
  resolutionProblem: jsonb().$type<ResolutionProblem>(),
  startedAt: instant().notNull().defaultNow(),
  lastSeenAt: instant().notNull().defaultNow(),
});
export type WorkerRow = typeof workers.$inferSelect;
