import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { idColumn, idReference, instant } from '../../platform/database/columns.js';
import { jobColumns, waitingIndex } from '../../platform/jobs/job-columns.js';
import { sources } from '../../sources/sources.table.js';

/**
 * `asked`: there is no lease yet, or it has expired. `verified`: the hub pushes. `missed`: a poll was first with a
 * post. `refused`: the hub refused. `ending`: the hub is being asked to stop.
 */
type SubscriptionState = 'asked' | 'verified' | 'missed' | 'refused' | 'ending';

/** WebSub subscriptions. A source has at most one that is not ending. */
export const subscriptions = pgTable(
  'websub_subscriptions',
  {
    id: idColumn(),
    sourceId: idReference().references(() => sources.id, { onDelete: 'set null' }),
    /** All hubs that the source names, in its order, and the one in use. */
    hubUrls: text().array().notNull(),
    hubUrl: text().notNull(),
    topicUrl: text().notNull(),
    /** `token` is the secret part of the callback URL; the hub signs deliveries with `secret`. */
    token: text().notNull().unique(),
    secret: text().notNull(),
    state: text().$type<SubscriptionState>().notNull(),
    begunAt: instant().notNull(),
    /** Start and end of the current sequence of uninterrupted leases. */
    verifiedAt: instant(),
    leaseUntil: instant(),
    lastPushAt: instant(),
    lastError: text(),
    failures: integer().notNull().default(0),
    /** A poll last found a post then that should have been pushed. Null once the hub is trusted again. */
    missedAt: instant(),
    firstSince: integer().notNull().default(0),
    /** Time of the next request to the hub; null until the source has active followers. */
    askAt: instant(),
    /** Time at which the hub accepted a request that it has not verified yet. */
    askedAt: instant(),
    /** The hub announced posts without content then. Null once the source is enqueued, at `pingTakenAt`. */
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
