import { sql } from 'drizzle-orm';
import { pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { idColumn, idReference, instant } from '../../platform/database/columns.js';
import { publications } from '../publications/publications.table.js';

/** Nothing is sent from `heldAt` until `releasedAt`, because the database was restored from a backup. */
export const publishingHolds = pgTable(
  'publishing_holds',
  {
    id: idColumn(),
    reason: text().notNull(),
    /** The value of MILLRACE_RESTORED that caused the hold. Each value holds publishing once. */
    label: text(),
    /** Posts that were due since then may be published although the database does not say so. */
    backupAt: instant().notNull(),
    heldAt: instant().notNull(),
    releasedAt: instant(),
  },
  () => [uniqueIndex('publishing_holds_active').on(sql`(released_at IS NULL)`).where(sql`released_at IS NULL`)],
);
export type PublishingHoldRow = typeof publishingHolds.$inferSelect;

/**
 * `published`: the post was found on its platform. `to_send`: it is not there. `unknown`: a person has to decide.
 * `unread`: the platform could not be read this time.
 */
export const RESTORE_OUTCOMES = ['published', 'to_send', 'unknown', 'unread'] as const;

export const restoreCheckResults = pgTable(
  'restore_check_results',
  {
    holdId: idReference()
      .notNull()
      .references(() => publishingHolds.id, { onDelete: 'cascade' }),
    publicationId: idReference()
      .notNull()
      .references(() => publications.id, { onDelete: 'cascade' }),
    outcome: text({ enum: RESTORE_OUTCOMES }).notNull(),
    reason: text().notNull(),
    at: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.publicationId, table.holdId] })],
);
