import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { users } from '../auth/users/users.table.js';
import { idColumn, idReference, instant } from '../platform/database/columns.js';
import { IMPORT_STATUSES } from './import-status.js';
import type { FieldMapping } from './items/field-mapping.js';

/** A list of feeds that somebody brought in. What came of it is counted in the rows of its feeds and batches. */
export const imports = pgTable(
  'imports',
  {
    id: idColumn(),
    userId: idReference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    status: text({ enum: IMPORT_STATUSES }).notNull().default('running'),
    /** Whether the user is to follow the feeds. */
    follow: boolean().notNull().default(false),
    /** Whether a feed's archive is walked, where it offers one. */
    full: boolean().notNull().default(false),
    /** What else is read of each item, and from where. */
    fields: jsonb().$type<FieldMapping>(),
    /** How many feeds were named again in the same request. */
    duplicateFeeds: integer().notNull().default(0),
    /** The import that it repeats. */
    rerunOf: idReference(),
    startedAt: instant().notNull().defaultNow(),
    completedAt: instant(),
  },
  (table) => [
    index('imports_of_user').on(table.userId, table.id),
    index('imports_running').on(table.id).where(sql`status = 'running'`),
  ],
);
export type ImportRow = typeof imports.$inferSelect;
