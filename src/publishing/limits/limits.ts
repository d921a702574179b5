import type { Config, RateLimit } from '../../platform/config.js';
import type { Platform } from '../platform.js';

/** How many posts a platform takes within any time of a length: from everybody together, and from each user. Undefined: any number. */
export interface Limits {
  platform: RateLimit | undefined;
  user: RateLimit | undefined;
}

/** What the configuration says goes before what the platform is known for. */
export function limitsOf(
  { name, limit }: Pick<Platform, 'name' | 'limit'>,
  { platformLimits, userLimits }: Pick<Config, 'platformLimits' | 'userLimits'>,
): Limits {
  const chosen = (limits: Map<string, RateLimit | null>) =>
    limits.has(name) ? (limits.get(name) ?? undefined) : limit;
  return { platform: chosen(platformLimits), user: chosen(userLimits) };
}

/** Such as "200 in 1 h". */
export function inWords({ most, windowMs }: RateLimit): string {
  const [unit, ms] = UNITS.find(([, size]) => windowMs % size === 0) ?? (['ms', 1] as const);
  return `${most} in ${windowMs / ms} ${unit}`;
}

const UNITS = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;
