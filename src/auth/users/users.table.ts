import { boolean, pgTable, text } from 'drizzle-orm/pg-core';
import { idColumn, instant } from '../../platform/database/columns.js';

export const users = pgTable('users', {
  id: idColumn(),
  /** The calling application's own id of this user. */
  externalId: text().unique(),
  name: text(),
  createdAt: instant().notNull().defaultNow(),
  lastSeenAt: instant(),
  /** Seen within the active window: what they follow is fetched. */
  active: boolean().notNull().default(false),
});
