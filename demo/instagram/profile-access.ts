import type { Profile } from './profiles.js';

const MINUTE_MS = 60_000;
const GONE_AFTER_MS = 5 * MINUTE_MS;
/** The last of so many minutes is the one in which a busy profile is not shown. */
const BUSY_EVERY = 3;

export type Access = 'shown' | 'private' | 'gone' | { retryAfterSeconds: number };

/** Whether a profile is shown so long after the demo began. */
export function accessTo({ temper }: Profile, elapsedMs: number): Access {
  if (temper === 'private') return 'private';
  if (temper === 'vanishes') return elapsedMs < GONE_AFTER_MS ? 'shown' : 'gone';
  const minute = Math.floor(elapsedMs / MINUTE_MS);
  const isBusy = temper === 'busy' && minute % BUSY_EVERY === BUSY_EVERY - 1;
  return isBusy ? { retryAfterSeconds: Math.ceil(((minute + 1) * MINUTE_MS - elapsedMs) / 1_000) } : 'shown';
}
