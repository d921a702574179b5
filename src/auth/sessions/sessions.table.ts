import { pgTable, text } from 'drizzle-orm/pg-core';
import { idReference, instant } from '../../platform/database/columns.js';
import { keys } from '../keys/keys.table.js';

export const signInLinks = pgTable('sign_in_links', {
  hash: text().primaryKey(),
  keyId: idReference()
    .notNull()
    .references(() => keys.id, { onDelete: 'cascade' }),
  expiresAt: instant().notNull(),
});

/** Browsers that signed in with a key. A session is valid as long as its key. */
export const sessions = pgTable('sessions', {
  hash: text().primaryKey(),
  keyId: idReference()
    .notNull()
    .references(() => keys.id, { onDelete: 'cascade' }),
  expiresAt: instant().notNull(),
});
