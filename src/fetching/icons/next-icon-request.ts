const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const FOUND_MS = 14 * DAY;
const NONE_MS = 30 * DAY;
const MAX_FAILURE_MS = 7 * DAY;

/** `none`: the site has answered and has no icon that can be shown. `failed`: it may have one at another time. */
export type IconResult = 'found' | 'none' | 'failed';

/** `failures` includes the last one. */
export function nextIconRequest(result: IconResult, failures: number, now: Date): Date {
  const afterMs = { found: FOUND_MS, none: NONE_MS, failed: Math.min(HOUR * 2 ** (failures - 1), MAX_FAILURE_MS) };
  return new Date(now.getTime() + afterMs[result]);
}
