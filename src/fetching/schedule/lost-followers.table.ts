import { boolean, integer, pgTable } from 'drizzle-orm/pg-core';
import { idReference } from '../../platform/database/columns.js';

/** Followers who became inactive and are still part of `active_followers`, until the next recount subtracts them. */
export const lostFollowers = pgTable('lost_followers', {
  sourceId: idReference().primaryKey(),
  followers: integer().notNull(),
  /** Whether one of them had set a maximum delay. */
  withMaxDelay: boolean().notNull(),
});
