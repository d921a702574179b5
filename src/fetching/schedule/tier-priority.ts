import { type SQL, sql } from 'drizzle-orm';
import type { FetchState } from '../../sources/fetch-states.table.js';
import { TIERS, type Tier } from '../intervals/tiers.js';

/** The priority of a fetch, as it follows from the row. */
export const tierPriority: SQL = byTier(({ priority }) => priority);

export const LAST_TIER_PRIORITY = Math.max(...TIERS.map(({ priority }) => priority));

/** Whether somebody asked for the fetch, rather than its schedule. */
export const isRequested = ({ jobPriority, jobOwner }: Pick<FetchState, 'jobPriority' | 'jobOwner'>) =>
  jobPriority === 0 || jobOwner !== null;

/** How often the tiers would have a source fetched that has active followers. */
export const tierSeconds: SQL = byTier(({ minutes }) => minutes * 60);

/** Rows with fewer followers than any tier takes have what its last one has. */
function byTier(pick: (tier: Tier) => number): SQL {
  const cases = TIERS.map((tier) => `WHEN active_followers >= ${tier.from} THEN ${pick(tier)}`);
  return sql.raw(`CASE ${cases.join(' ')} ELSE ${Math.max(...TIERS.map(pick))} END`);
}
