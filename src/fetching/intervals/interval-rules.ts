import type { Config } from '../../platform/config.js';
import { adaptive } from './adaptive/adaptive.js';
import type { IntervalRules } from './interval.js';
import type { IntervalPolicy } from './interval-policy.js';
import { tiers } from './tiers.js';

const POLICIES: Record<Config['policy'], IntervalPolicy> = { adaptive, tiers };

export const INTERVAL_RULES = Symbol('interval rules');

/** Until the budget was looked at for the first time: one follower of a post a day is served about as the tiers would. */
export const FIRST_PRICE = 300;

/** Rules whose prices follow what all processes have agreed on: see `LivePrices`. */
export type LiveIntervalRules = IntervalRules & { price: number; hostPrices: ReadonlyMap<string, number> };

export function intervalRules({ policy, minIntervalMs, publicUrl, websubSafetyMs }: Config): LiveIntervalRules {
  return {
    policy: POLICIES[policy],
    floorSeconds: minIntervalMs / 1_000,
    // Without an address of ours no hub reaches us.
    safetySeconds: publicUrl ? websubSafetyMs / 1_000 : undefined,
    price: FIRST_PRICE,
    hostPrices: new Map(),
  };
}
