import type { Platform } from './use-platforms';

interface PlatformCapacity {
  used: number;
  max: number;
  /** For example "24 hours". */
  window: string;
  text: string;
}

/** Usage of the narrower limit of a platform; undefined if it has none. */
export function capacityOf({
  limits,
  remaining,
}: Pick<Platform, 'limits' | 'remaining'>): PlatformCapacity | undefined {
  const { platform, user } = limits;
  const limit = user ?? platform;
  const left = remaining.user ?? remaining.platform;
  if (!limit || left === null) return undefined;
  const used = Math.max(0, limit.most - left);
  const window = spanText(limit.windowSeconds);
  return { used, max: limit.most, window, text: `${left} of ${limit.most} left per ${window}` };
}

const UNITS: [string, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** 3600 → "hour", 86400 → "24 hours". */
export function spanText(seconds: number): string {
  if (seconds === 86_400) return '24 hours';
  const [name, size] = UNITS.find(([, unit]) => seconds >= unit && seconds % unit === 0) ?? ['second', 1];
  const count = seconds / size;
  return count === 1 ? name : `${count} ${name}s`;
}
