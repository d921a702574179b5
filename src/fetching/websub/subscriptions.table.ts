import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { idColumn, idReference, instant } from '../../platform/database/columns.js';
import { jobColumns, waitingIndex } from '../../platform/queue/job-rows.js';
import { sources } from '../../sources/sources.table.js';

/**
 * `asked`: no lease yet, or no longer. `verified`: the hub pushes. `missed`: it should, and a poll was first. `refused`: it will
 * not. `ending`: the hub is told that nobody wants it any more.
 */
type SubscriptionState = 'asked' | 'verified' | 'missed' | 'refused' | 'ending';

/** A source whose hub was asked to push its news. One at a time is not ending. */
export const subscriptions = pgTable(
  'websub_subscriptions',
  {
    id: idColumn(),
    /** Null: it was removed. */
    sourceId: idReference().references(() => sources.id, { onDelete: 'set null' }),
    /** All that the source names, in its order; and the one that is asked. */
    hubUrls: text().array().notNull(),
    hubUrl: text().notNull(),
    topicUrl: text().notNull(),
    /** Part of the callback's address, which nobody else can guess; and what the hub signs with. */
    token: text().notNull().unique(),
    secret: text().notNull(),
    state: text().$type<SubscriptionState>().notNull(),
    begunAt: instant().notNull(),
    /** Of the leases that followed one another without a break: since when, and until when. */
    verifiedAt: instant(),
    leaseUntil: instant(),
    lastPushAt: instant(),
    lastError: text(),
    /** Of asking, in a row. */
    failures: integer().notNull().default(0),
    /** When a poll last found what should have been pushed, until the hub is trusted again; and how often it was first since. */
    missedAt: instant(),
    firstSince: integer().notNull().default(0),
    /** When the hub is asked next; null: not before somebody active follows the source. */
    askAt: instant(),
    /** When it took a request that it has not verified yet. */
    askedAt: instant(),
    /** When it said that there is news without saying which, until the source was put to work; and when it last was for that. */
    pingedAt: instant(),
    pingTakenAt: instant(),
    ...jobColumns(),
  },
  (table) => [
    waitingIndex('websub_subscriptions_waiting', table),
    uniqueIndex('websub_subscriptions_source').on(table.sourceId).where(sql`state <> 'ending'`),
    index('websub_subscriptions_due').on(table.askAt).where(sql`job_state <> 'waiting' AND ask_at IS NOT NULL`),
    index('websub_subscriptions_leases').on(table.leaseUntil).where(sql`lease_until IS NOT NULL`),
    index('websub_subscriptions_pings').on(table.id).where(sql`pinged_at IS NOT NULL`),
  ],
);

export type Subscription = typeof subscriptions.$inferSelect;
