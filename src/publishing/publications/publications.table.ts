import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { users } from '../../auth/users/users.table.js';
import { idColumn, idReference, instant } from '../../platform/database/columns.js';
import { jobColumns, waitingIndex } from '../../platform/jobs/job-columns.js';
import { accounts } from '../accounts/accounts.table.js';
import type { Content } from '../platform.js';
import { PUBLICATION_STATUSES } from './publication-status.js';

export const publicationChanges = pgTable(
  'publication_changes',
  {
    id: idColumn(),
    publicationId: idReference()
      .notNull()
      .references(() => publications.id, { onDelete: 'cascade' }),
    at: instant().notNull(),
    from: text({ enum: PUBLICATION_STATUSES }),
    to: text({ enum: PUBLICATION_STATUSES }).notNull(),
    reason: text().notNull(),
    isFailedTry: boolean().notNull().default(false),
  },
  (table) => [
    index('publication_changes_of').on(table.publicationId, table.id),
    // Statistics read the last hour, and rows are written in the order of time.
    index('publication_changes_at').using('brin', table.at).with({ autosummarize: true }),
  ],
);

export const SLOTS = 'publications_slot';
export const TWINS = 'publications_twins';

/** A publication waits as a row, and its job exists only while it is handed to a worker. */
export const publications = pgTable(
  'publications',
  {
    id: idColumn(),
    userId: idReference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    accountId: idReference()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    platform: text().notNull(),
    groupId: text(),
    /** The idempotency key of the request and a hash of its body. The same request again creates nothing. */
    idempotencyKey: text(),
    requestHash: text(),
    content: jsonb().$type<Content>().notNull(),
    /** Rises with every edit, so that a version prepared earlier is not published. */
    version: integer().notNull().default(1),
    status: text({ enum: PUBLICATION_STATUSES }).notNull().default('scheduled'),
    priority: smallint().notNull().default(1),
    scheduledAt: instant().notNull(),
    /** The local time at `scheduledAt` in the given IANA zone, such as `2026-03-29T03:30`. */
    localTime: text(),
    timezone: text(),
    slotAt: instant(),
    expiresAt: instant(),
    /** The idempotency key for the platform, which is the same in every attempt. */
    key: text().notNull().default(sql`replace(gen_random_uuid()::text, '-', '')`),
    /**
     * The number of failed attempts and the one in progress. A call and its repeats with the same key are one
     * attempt.
     */
    attempts: integer().notNull().default(0),
    /** The number of postponements in a row because the platform could not be reached or read. Delays grow with it. */
    postponements: integer().notNull().default(0),
    /** The time at which a call with an unknown outcome was intended. Null if there is none. */
    intendedAt: instant(),
    /** The time at which the first call with this content was intended. */
    firstTriedAt: instant(),
    progress: jsonb().$type<unknown>(),
    /** No attempt is made before this time, for the reason in `waiting_for`. */
    notBefore: instant(),
    waitingFor: text(),
    lastError: text(),
    platformPostId: text(),
    platformUrl: text(),
    createdAt: instant().notNull().defaultNow(),
    publishedAt: instant(),
    /** Host name and process id of the process that made the last call. Null before the first. */
    processedBy: text(),
    ...jobColumns(),
  },
  (table) => [
    index('publications_of_user').on(table.userId, table.id),
    index('publications_of_account').on(table.accountId, table.scheduledAt),
    index('publications_due')
      .on(table.platform, table.scheduledAt)
      .where(sql`status IN ('scheduled', 'publishing') AND job_state <> 'waiting'`),
    index('publications_scheduled').on(table.scheduledAt).where(sql`status = 'scheduled'`),
    index('publications_expiring').on(table.expiresAt).where(sql`status = 'scheduled'`),
    index('publications_held_up')
      .on(table.notBefore)
      .where(sql`status IN ('scheduled', 'publishing') AND not_before IS NOT NULL`),
    uniqueIndex(SLOTS)
      .on(table.accountId, table.slotAt)
      .where(sql`slot_at IS NOT NULL AND status NOT IN ('cancelled', 'expired', 'failed')`),
    uniqueIndex(TWINS).on(table.accountId, sql`md5(content::text)`).where(sql`status = 'publishing'`),
    index('publications_idempotency').on(table.userId, table.idempotencyKey).where(sql`idempotency_key IS NOT NULL`),
    index('publications_unknown').on(table.id).where(sql`status = 'unknown'`),
    waitingIndex('publications_waiting', table),
  ],
);
export type Publication = typeof publications.$inferSelect;
