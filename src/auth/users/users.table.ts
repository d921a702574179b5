import { boolean, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, instant } from '../../platform/database/columns.js';

export const users = pgTable('users', {
  id: idColumn(),
  externalId: text().unique(),
  name: text(),
  createdAt: instant().notNull().defaultNow(),
  lastSeenAt: instant(),
  /** The user was seen within the active window, so the sources they follow are fetched. */
  active: boolean().notNull().default(false),
});
