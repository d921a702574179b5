import type { Config } from '../../platform/config.js';
import type { IntervalRules } from './interval.js';
import type { IntervalPolicy } from './interval-policy.js';
import { tiers } from './tiers.js';

const POLICIES: Record<Config['policy'], IntervalPolicy> = { tiers };

export const INTERVAL_RULES = Symbol('interval rules');

export function intervalRules({ policy, minIntervalMs }: Config): IntervalRules {
  return { policy: POLICIES[policy], floorSeconds: minIntervalMs / 1_000 };
}
