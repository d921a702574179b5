import { sql } from 'drizzle-orm';
import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { idColumn, idReference, instant } from '../../platform/database/columns.js';

/** A slot counts until one window after the call's end, so that the limit also holds on the platform's own clock. */
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
