import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { users } from '../../auth/users/users.table.js';
import { idColumn, idReference, instant } from '../../platform/database/columns.js';
import { jobColumns, waitingIndex } from '../../platform/queue/job-rows.js';
import { accounts } from '../accounts/accounts.table.js';
import type { Content } from '../platform.js';
import { PUBLICATION_STATUSES } from './publication-status.js';

/** Every change of a publication's status, with its reason. */
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
    /** Whether a try ended with it that counts as failed. */
    isFailedTry: boolean().notNull().default(false),
  },
  (table) => [
    index('publication_changes_of').on(table.publicationId, table.id),
    // Of the last hour, for statistics; they are written in that order.
    index('publication_changes_at').using('brin', table.at).with({ autosummarize: true }),
  ],
);

/** Unique indices: what cannot be twice. */
export const SLOTS = 'publications_slot';
export const TWINS = 'publications_twins';

/** Something to be published on one account. It waits as a row; its job exists only while it is handed to a worker. */
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
    /** Shared by those that were made together for several accounts. */
    groupId: text(),
    /** Of the request that made it, and what that request said: the same again makes nothing new. */
    idempotencyKey: text(),
    requestHash: text(),
    content: jsonb().$type<Content>().notNull(),
    /** Rises with every edit: what was prepared for an earlier one is not published. */
    version: integer().notNull().default(1),
    status: text({ enum: PUBLICATION_STATUSES }).notNull().default('scheduled'),
    /** Place in PRIORITIES. */
    priority: smallint().notNull().default(1),
    scheduledAt: instant().notNull(),
    /** What the clock shows at `scheduledAt` in the IANA zone that was given: `2026-03-29T03:30`. */
    localTime: text(),
    timezone: text(),
    /** The account's slot that it has taken. */
    slotAt: instant(),
    expiresAt: instant(),
    /** What the platform knows it by, the same in every try. */
    key: text().notNull().default(sql`replace(gen_random_uuid()::text, '-', '')`),
    /** Attempts that have failed, and the one under way. A call and its repeats with the same key are one attempt. */
    attempts: integer().notNull().default(0),
    /** How often in a row it was postponed because the platform could not be reached or read: the delays grow with it. */
    postponements: integer().notNull().default(0),
    /** When the last call was decided on whose end is not known; null if there is none. */
    intendedAt: instant(),
    /** When the first call with this content was decided on. */
    firstTriedAt: instant(),
    /** What the platform's steps have left behind, for this version. */
    progress: jsonb().$type<unknown>(),
    /** No try before, and why. */
    notBefore: instant(),
    waitingFor: text(),
    lastError: text(),
    platformPostId: text(),
    platformUrl: text(),
    createdAt: instant().notNull().defaultNow(),
    publishedAt: instant(),
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
