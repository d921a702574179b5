import { type SQL, sql } from 'drizzle-orm';
import { TIERS } from './intervals/tiers.js';

const LEAST_URGENT = Math.max(...TIERS.map(({ priority }) => priority));

/** The priority of a fetch, as it follows from the row. */
export const tierPriority: SQL = sql.join(
  [
    sql`CASE`,
    ...TIERS.map(({ from, priority }) => sql.raw(`WHEN active_followers >= ${from} THEN ${priority}`)),
    sql.raw(`ELSE ${LEAST_URGENT} END`),
  ],
  sql` `,
);
