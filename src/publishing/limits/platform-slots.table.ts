import { sql } from 'drizzle-orm';
import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { idColumn, idReference, instant } from '../../platform/database/columns.js';

/**
 * Room within a platform's limits that a publication has taken. It counts from before the call until a window after its
 * end: so no window on the platform's own clock, whenever the call arrived there, holds more than the limit.
 */
export const platformSlots = pgTable(
  'platform_slots',
  {
    id: idColumn(),
    platform: text().notNull(),
    userId: idReference().notNull(),
    publicationId: idReference().notNull(),
    takenAt: instant().notNull(),
    /** When the call had ended; null while nobody knows that it has. */
    endedAt: instant(),
  },
  (table) => [
    index('platform_slots_taken').on(table.platform, table.endedAt),
    uniqueIndex('platform_slots_open').on(table.publicationId).where(sql`ended_at IS NULL`),
  ],
);
