import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { users } from '../auth/users/users.table.js';
import { idColumn, idReference, instant } from '../platform/database/columns.js';
import { IMPORT_STATUSES } from './import-status.js';
import type { FieldMapping } from './items/field-mapping.js';

/** A list of feeds that a user imported. Its totals are counted from the rows of its feeds and batches. */
export const imports = pgTable(
  'imports',
  {
    id: idColumn(),
    userId: idReference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    status: text({ enum: IMPORT_STATUSES }).notNull().default('running'),
    follow: boolean().notNull().default(false),
    /** Whether the archive of a feed is read, if it has one. */
    full: boolean().notNull().default(false),
    fields: jsonb().$type<FieldMapping>(),
    duplicateFeeds: integer().notNull().default(0),
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
