import { sql } from 'drizzle-orm';
import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { idColumn, idReference, instant } from '../../platform/database/columns.js';

/**
 * A slot within a platform's limits that a publication occupies. It counts from before the call until one window
 * after its end, so no window on the platform's own clock holds more calls than the limit.
 */
export const platformSlots = pgTable(
  'platform_slots',
  {
    id: idColumn(),
    platform: text().notNull(),
    userId: idReference().notNull(),
    publicationId: idReference().notNull(),
    takenAt: instant().notNull(),
    /** The end of the call. Null while the call may still be in flight. */
    endedAt: instant(),
  },
  (table) => [
    index('platform_slots_taken').on(table.platform, table.endedAt),
    uniqueIndex('platform_slots_open').on(table.publicationId).where(sql`ended_at IS NULL`),
  ],
);
