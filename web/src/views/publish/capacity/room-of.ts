import type { Platform } from './use-platforms';

interface RoomOf {
  used: number;
  most: number;
  /** "24 hours". */
  window: string;
  words: string;
}

/** How much of the narrower of a platform's limits is used; undefined where it has none. */
export function roomOf({ limits, remaining }: Pick<Platform, 'limits' | 'remaining'>): RoomOf | undefined {
  const { platform, user } = limits;
  const limit = user ?? platform;
  const left = remaining.user ?? remaining.platform;
  if (!limit || left === null) return undefined;
  const used = Math.max(0, limit.most - left);
  const window = spanWords(limit.windowSeconds);
  return { used, most: limit.most, window, words: `${left} of ${limit.most} left in ${window}` };
}

const UNITS: [string, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** 3600 → "1 hour", 86400 → "24 hours", as people speak of limits. */
export function spanWords(seconds: number): string {
  if (seconds === 86_400) return '24 hours';
  const [name, size] = UNITS.find(([, unit]) => seconds >= unit && seconds % unit === 0) ?? ['second', 1];
  const count = seconds / size;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
