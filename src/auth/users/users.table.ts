import { sql } from 'drizzle-orm';
import { boolean, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { idColumn, instant } from '../../platform/database/columns.js';

export const users = pgTable(
  'users',
  {
    id: idColumn(),
    externalId: text().unique(),
    name: text(),
    /** Names the user in reading apps. Null until it is set or an app password is made. */
    userName: text(),
    createdAt: instant().notNull().defaultNow(),
    lastSeenAt: instant(),
    /** The user was seen within the active window, so the sources they follow are fetched. */
    active: boolean().notNull().default(false),
  },
  () => [uniqueIndex('users_user_name').on(sql`lower(user_name)`)],
);
