import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { users } from '../../auth/users/users.table.js';
import { idColumn, idReference, instant } from '../../platform/database/columns.js';
import type { SlotRules } from './slot-rules.js';

/** `broken`: the platform refuses the account's credentials. */
export const ACCOUNT_STATUSES = ['active', 'broken'] as const;

export const accounts = pgTable(
  'accounts',
  {
    id: idColumn(),
    userId: idReference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    platform: text().notNull(),
    name: text().notNull(),
    status: text({ enum: ACCOUNT_STATUSES }).notNull().default('active'),
    lastError: text(),
    /** Encrypted; see `secrets.ts`. Empty once the account is removed. */
    credentials: text().notNull(),
    platformId: text(),
    platformName: text(),
    checkedAt: instant(),
    /** The platform accepts no posts of this account until then. */
    closedUntil: instant(),
    closedBecause: text(),
    slots: jsonb().$type<SlotRules>(),
    createdAt: instant().notNull().defaultNow(),
    removedAt: instant(),
  },
  (table) => [index('accounts_of_user').on(table.userId, table.id)],
);
export type Account = typeof accounts.$inferSelect;
