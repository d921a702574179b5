import { boolean, index, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, idReference, instant } from '../../platform/database/columns.js';
import { KEY_SCOPES, USER_SCOPES } from '../users/user.js';
import { users } from '../users/users.table.js';

export const keys = pgTable(
  'api_keys',
  {
    id: idColumn(),
    userId: idReference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hash: text().notNull().unique(),
    /** The first characters, which distinguish keys in a list. */
    prefix: text().notNull(),
    scope: text({ enum: ['admin', 'user'] }).notNull(),
    /** The permissions of the key. An admin key may do everything, whatever this column contains. */
    scopes: text({ enum: KEY_SCOPES })
      .array()
      .notNull()
      .default([...USER_SCOPES]),
    name: text(),
    /** The key comes from MILLRACE_ADMIN_KEY and is revoked when that variable changes or is removed. */
    configured: boolean().notNull().default(false),
    createdAt: instant().notNull().defaultNow(),
    revokedAt: instant(),
  },
  (table) => [index('api_keys_user').on(table.userId)],
);
