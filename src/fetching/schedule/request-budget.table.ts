import { boolean, doublePrecision, pgTable } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.js';

/** One row: what a fetch must be worth, so that all of them together stay within the budget. */
export const requestBudget = pgTable('request_budget', {
  id: boolean().primaryKey().default(true),
  price: doublePrecision().notNull(),
  /** What was learned about how far the price that should meet the budget misses it. */
  correction: doublePrecision().notNull(),
  /** Requests that were allowed and not spent yet; below zero, spent and not allowed. */
  balance: doublePrecision().notNull(),
  budgetPerHour: doublePrecision().notNull(),
  /** All fetches that schedules had made when it was looked last. */
  fetches: doublePrecision().notNull(),
  lookedAt: instant().notNull(),
});
