import type { Config, RateLimit } from '../../platform/config.js';
import type { Platform } from '../platform.js';

/**
 * The number of posts that a platform takes in any window, from all users together and from each user. Undefined
 * means no limit.
 */
export interface Limits {
  platform: RateLimit | undefined;
  user: RateLimit | undefined;
}

/** The configuration takes precedence over the platform's own limit. */
export function limitsOf(
  { name, limit }: Pick<Platform, 'name' | 'limit'>,
  { platformLimits, userLimits }: Pick<Config, 'platformLimits' | 'userLimits'>,
): Limits {
  const chosen = (limits: Map<string, RateLimit | null>) =>
    limits.has(name) ? (limits.get(name) ?? undefined) : limit;
  return { platform: chosen(platformLimits), user: chosen(userLimits) };
}

export function describeLimit({ most, windowMs }: RateLimit): string {
  const [unit, ms] = UNITS.find(([, size]) => windowMs % size === 0) ?? (['ms', 1] as const);
  return `${most} in ${windowMs / ms} ${unit}`;
}

const UNITS = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;
