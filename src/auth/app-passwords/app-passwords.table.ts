import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, idReference, instant } from '../../platform/database/columns.js';
import { users } from '../users/users.table.js';

/** Passwords for reading apps. A revoked one is deleted. */
export const appPasswords = pgTable(
  'app_passwords',
  {
    id: idColumn(),
    userId: idReference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** The user's name when it was made. It stays valid with this password, because the Fever digest contains it. */
    userName: text().notNull(),
    hash: text().notNull().unique(),
    /** Hash of the digest that Fever clients send: md5 of `userName:password`. */
    feverHash: text().notNull().unique(),
    createdAt: instant().notNull().defaultNow(),
    lastUsedAt: instant(),
  },
  (table) => [index('app_passwords_of_user').on(table.userId)],
);
