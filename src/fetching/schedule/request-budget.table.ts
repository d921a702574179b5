import { boolean, doublePrecision, pgTable } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.js';

export const requestBudget = pgTable('request_budget', {
  id: boolean().primaryKey().default(true),
  price: doublePrecision().notNull(),
  correction: doublePrecision().notNull(),
  /** Requests that were allowed but not made yet; negative if more were made than allowed. */
  balance: doublePrecision().notNull(),
  budgetPerHour: doublePrecision().notNull(),
  fetches: doublePrecision().notNull(),
  lookedAt: instant().notNull(),
});
