import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, real, text } from 'drizzle-orm/pg-core';
import { idReference, instant, packedNumbers } from '../platform/database/columns.js';
import { jobColumns, waitingIndex } from '../platform/jobs/job-columns.js';
import { sources } from './sources.table.js';

/** What a fetcher is reminded of next time. */
export interface Validators {
  etag?: string | undefined;
  lastModified?: string | undefined;
  /** Of the body that was stored last: the same again need not be read. */
  bodyHash?: string | undefined;
  /** What the fetcher found out about the source and would have to ask for again. */
  memo?: string | undefined;
}

/** How often a source may be fetched, as far as it says: by hours of the day (UTC) and days (0 is Sunday) to leave out, too. */
export interface Allowance {
  everySeconds?: number | undefined;
  skipHours?: number[] | undefined;
  skipDays?: number[] | undefined;
}

/** New posts that were not reached yet: they begin at `cursor` and end where posts up to the id `floor` come. */
export interface Gap {
  cursor: string;
  floor: string;
}

/**
 * When a source is fetched and how that went, one row a source, under the source's id. Written by `fetching/`. It is apart
 * from `sources` because it changes with every fetch and every recount, and a million narrow rows change fast.
 */
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
    /** Rises with every change of activeFollowers, so that a recount does not undo one that it could not see. */
    demandEpoch: integer().notNull().default(0),
    /** Null: not fetched, because nobody active follows it or because it is gone. */
    nextFetchAt: instant(),
    intervalSeconds: integer(),
    /** The shortest delay that one of its active followers wishes for. */
    wishSeconds: integer(),
    /** When it posts, as far as that was learned, packed; as of `rhythmAt`. Null: it was never seen. */
    rhythm: packedNumbers(),
    rhythmAt: instant(),
    /** What the rhythm comes to, for whoever adds up many. */
    postsPerDay: real(),
    /** How often its schedule had it fetched. */
    fetches: integer().notNull().default(0),
    /** Whose requests its fetches are: see `hostOf`. */
    host: text(),
    /** Its last fetch took long. Slow sources share a part of the slots, so that others are fetched in time. */
    slow: boolean().notNull().default(false),
    /** A hub was asked to push its news, whether or not it does. */
    hasHub: boolean().notNull().default(false),
    /** It pushes them as they come, and polling is for safety only. */
    pushedUntil: instant(),
    /** What the source asks of everybody, and a time before which it wants none of us. */
    allows: jsonb().$type<Allowance>().notNull().default({}),
    notBefore: instant(),
    lastFetchAt: instant(),
    lastSuccessAt: instant(),
    lastError: text(),
    failures: integer().notNull().default(0),
    failingSince: instant(),
    /** Has failed for so long that its followers were told. */
    failing: boolean().notNull().default(false),
    goneAt: instant(),
    /** Where it has moved for good, and when. It is not fetched any more, and a follow of it only keeps its posts readable. */
    movedTo: idReference().references(() => sources.id, { onDelete: 'set null' }),
    movedAt: instant(),
    /** Another source has moved here, and the posts that both have were not looked for since. */
    movedHere: boolean().notNull().default(false),
    /** Nobody is there to fetch it; `lastError` says more. */
    waitsForWorker: boolean().notNull().default(false),
    validators: jsonb().$type<Validators>().notNull().default({}),
    /** Newest first. */
    gaps: jsonb().$type<Gap[]>().notNull().default([]),
    ...jobColumns(),
  },
  (table) => [
    waitingIndex('fetch_states_waiting', table),
    // By type, so that one with many due sources does not stand in the way of another. Paused sources cost it nothing.
    index('fetch_states_due')
      .on(table.type, table.nextFetchAt)
      .where(sql`job_state <> 'waiting' AND next_fetch_at IS NOT NULL`),
    index('fetch_states_owned').on(table.jobOwner).where(sql`job_state = 'waiting' AND job_owner IS NOT NULL`),
    index('fetch_states_slow').on(table.type).where(sql`slow AND job_state = 'waiting'`),
    index('fetch_states_moved_to').on(table.movedTo).where(sql`moved_to IS NOT NULL`),
    index('fetch_states_wait_for_worker').on(table.type, table.id).where(sql`waits_for_worker`),
  ],
);

export type FetchState = typeof fetchStates.$inferSelect;
