import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, real, text } from 'drizzle-orm/pg-core';
import { idReference, instant, packedNumbers } from '../platform/database/columns.js';
import { jobColumns, waitingIndex } from '../platform/jobs/job-columns.js';
import { sources } from './sources.table.js';

export interface Validators {
  etag?: string | undefined;
  lastModified?: string | undefined;
  bodyHash?: string | undefined;
  /** Facts about the source that the fetcher would otherwise have to request again. */
  memo?: string | undefined;
}

/** How often a source allows itself to be fetched, and the hours (UTC) and days (0 is Sunday) that it excludes. */
export interface Allowance {
  everySeconds?: number | undefined;
  skipHours?: number[] | undefined;
  skipDays?: number[] | undefined;
}

/** New posts that were not reached yet. They begin at `cursor` and end at posts up to the id `floor`. */
export interface Gap {
  cursor: string;
  floor: string;
}

/** The condition of an index, so it must stay as it is written here. */
export const HAS_ERROR = sql`(failures > 0 OR last_error IS NOT NULL OR gone_at IS NOT NULL)`;

/** Separate from `sources`, because it changes with every fetch and recount, and narrow rows are faster to write. */
export const fetchStates = pgTable(
  'fetch_states',
  {
    id: idReference()
      .primaryKey()
      .references(() => sources.id, { onDelete: 'cascade' }),
    type: text().notNull(),
    /** Rises with every update, so that a fetch can tell whether the row is still as it was read. See migration 0016. */
    version: integer().notNull().default(0),
    activeFollowers: integer().notNull().default(0),
    /** Rises with every change of activeFollowers, so that a recount does not undo a change that it did not see. */
    demandEpoch: integer().notNull().default(0),
    /** Null if the source is not fetched, because it is gone or has no active followers. */
    nextFetchAt: instant(),
    intervalSeconds: integer(),
    /** The shortest maximum delay among its active followers. */
    maxDelaySeconds: integer('wish_seconds'),
    /** When the source posts, as learned until `rhythmAt`. Null until the first fetch. */
    rhythm: packedNumbers(),
    rhythmAt: instant(),
    /** Follows from the rhythm. It is stored for statements that add up many sources. */
    postsPerDay: real(),
    fetches: integer().notNull().default(0),
    /** Host whose limits its requests count against; see `hostOf`. */
    host: text(),
    /** Whether the last fetch took long. Slow sources share a part of the slots, so that others are fetched in time. */
    slow: boolean().notNull().default(false),
    hasHub: boolean().notNull().default(false),
    /** Until then the hub is trusted to push, and polling is for safety only. */
    pushedUntil: instant(),
    /** Limits that the source states for everybody, and a time before which it refuses our requests. */
    allows: jsonb().$type<Allowance>().notNull().default({}),
    notBefore: instant(),
    lastFetchAt: instant(),
    lastSuccessAt: instant(),
    lastError: text(),
    failures: integer().notNull().default(0),
    failingSince: instant(),
    /** Whether it has failed for so long that its followers were notified. */
    failing: boolean().notNull().default(false),
    goneAt: instant(),
    /** The source it has permanently moved to. It is no longer fetched, and follows of it only keep its posts readable. */
    movedTo: idReference().references(() => sources.id, { onDelete: 'set null' }),
    movedAt: instant(),
    /** Whether another source has moved here whose duplicate posts were not hidden yet. */
    movedHere: boolean().notNull().default(false),
    /** Whether no remote worker is connected; `lastError` has details. */
    waitsForWorker: boolean().notNull().default(false),
    validators: jsonb().$type<Validators>().notNull().default({}),
    /** Whether additional fields of its posts are read and stored with each fetch. */
    keepsFields: boolean().notNull().default(false),
    gaps: jsonb().$type<Gap[]>().notNull().default([]),
    ...jobColumns(),
  },
  (table) => [
    waitingIndex('fetch_states_waiting', table),
    // The type comes first, so that a type with many due sources does not block another. Paused sources are left out.
    index('fetch_states_due')
      .on(table.type, table.nextFetchAt)
      .where(sql`job_state <> 'waiting' AND next_fetch_at IS NOT NULL`),
    index('fetch_states_owned').on(table.jobOwner).where(sql`job_state = 'waiting' AND job_owner IS NOT NULL`),
    index('fetch_states_slow').on(table.type).where(sql`slow AND job_state = 'waiting'`),
    index('fetch_states_moved_to').on(table.movedTo).where(sql`moved_to IS NOT NULL`),
    // Fetches that go well do not write this index.
    index('fetch_states_with_error').on(table.failures.desc().nullsFirst(), table.id).where(HAS_ERROR),
    index('fetch_states_wait_for_worker').on(table.type, table.id).where(sql`waits_for_worker`),
  ],
);

export type FetchState = typeof fetchStates.$inferSelect;
