import type { Profile } from './profiles.js';

const MINUTE_MS = 60_000;
const GONE_AFTER_MS = 5 * MINUTE_MS;
/** A busy profile is rate limited in the last of every three minutes. */
const BUSY_CYCLE_MINUTES = 3;

type Access = 'shown' | 'private' | 'gone' | { retryAfterSeconds: number };

/** Whether a profile is shown at a time after the start of the demo. */
export function accessTo({ temper }: Profile, elapsedMs: number): Access {
  if (temper === 'private') return 'private';
  if (temper === 'vanishes') return elapsedMs < GONE_AFTER_MS ? 'shown' : 'gone';
  const minute = Math.floor(elapsedMs / MINUTE_MS);
  const isBusy = temper === 'busy' && minute % BUSY_CYCLE_MINUTES === BUSY_CYCLE_MINUTES - 1;
  return isBusy ? { retryAfterSeconds: Math.ceil(((minute + 1) * MINUTE_MS - elapsedMs) / 1_000) } : 'shown';
}
