import { type SQL, sql } from 'drizzle-orm';
import type { FetchState } from '../../sources/fetch-states.table.js';
import { TIERS, type Tier } from '../intervals/tiers.js';

export const tierPriority: SQL = byTier(({ priority }) => priority);

export const LAST_TIER_PRIORITY = Math.max(...TIERS.map(({ priority }) => priority));

export const isRequested = ({ jobPriority, jobOwner }: Pick<FetchState, 'jobPriority' | 'jobOwner'>) =>
  jobPriority === 0 || jobOwner !== null;

export const tierSeconds: SQL = byTier(({ minutes }) => minutes * 60);

/** Rows with fewer followers than the last tier needs get the values of the last tier. */
function byTier(pick: (tier: Tier) => number): SQL {
  const cases = TIERS.map((tier) => `WHEN active_followers >= ${tier.from} THEN ${pick(tier)}`);
  return sql.raw(`CASE ${cases.join(' ')} ELSE ${Math.max(...TIERS.map(pick))} END`);
}
