import type { Config } from '../../platform/config.js';
import type { Subscription } from './subscriptions.table.js';

/** After this many attempts the next hub is tried, or an unsubscribe request is given up and the lease runs out. */
type HubRetries = Pick<Config, 'websubAttempts' | 'websubBackoffMs'>;

export type Change = Partial<Omit<Subscription, 'id' | 'sourceId' | 'token' | 'secret'>>;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** Hubs usually verify within seconds. After this time they are asked again. */
const VERIFIES_WITHIN_MS = 5 * MINUTE;
/** Minimum wait before a renewal, however short the lease is. */
const SOONEST_RENEWAL_MS = 5 * SECOND;
const MAX_LEASE_MS = 365 * DAY;
const MAX_RETRY_MS = DAY;
const REFUSED_FOR_MS = 7 * DAY;
/** Announced hubs are applied at most this often, because each change sends requests to URLs that the feed chooses. */
const SAME_FOR_MS = DAY;
/** A hub that missed a post is trusted again after it was first this often, or after this time without a miss. */
const FIRST_SO_OFTEN = 3;
const NO_MISS_FOR_MS = DAY;

export function pushedUntil({ state, failures, leaseUntil }: Subscription): Date | null {
  return state === 'verified' && failures === 0 ? leaseUntil : null;
}

/** The lease may be shorter than requested. */
export function verified(subscription: Subscription, leaseMs: number, now: Date): Change {
  const { missedAt, leaseUntil, verifiedAt } = subscription;
  const lease = Math.min(Math.max(leaseMs, 2 * SOONEST_RENEWAL_MS), MAX_LEASE_MS);
  const goesOn = leaseUntil !== null && leaseUntil > now && verifiedAt !== null;
  return {
    state: missedAt ? 'missed' : 'verified',
    verifiedAt: goesOn ? verifiedAt : now,
    leaseUntil: after(now, Math.min(leaseMs, MAX_LEASE_MS)),
    askAt: after(now, lease / 2),
    askedAt: null,
    failures: 0,
    lastError: null,
  };
}

export function taken(now: Date): Change {
  return { askedAt: now, askAt: after(now, VERIFIES_WITHIN_MS) };
}

/** The hub is retried during and after the lease. After the last of several hubs, the first is tried a day later. */
export function failed(
  subscription: Subscription,
  { reason, now }: { reason: string; now: Date },
  { websubAttempts, websubBackoffMs }: HubRetries,
): Change {
  const failures = subscription.failures + 1;
  const { state, hubUrls } = subscription;
  if (failures >= websubAttempts && state !== 'ending' && hubUrls.length > 1) {
    const next = nextHub(subscription);
    const askAt = next ? now : after(now, MAX_RETRY_MS);
    return { ...withoutLease(reason), state: 'asked', hubUrl: next ?? firstHub(subscription), askAt };
  }
  const wait = Math.min(websubBackoffMs * 2 ** Math.min(failures - 1, 20), MAX_RETRY_MS);
  return { failures, lastError: reason, askedAt: null, askAt: after(now, wait) };
}

export function refused(subscription: Subscription, reason: string, now: Date): Change {
  const next = nextHub(subscription);
  if (next) return { ...withoutLease(reason), state: 'asked', hubUrl: next, askAt: now };
  const askAt = after(now, REFUSED_FOR_MS);
  return { ...withoutLease(reason), state: 'refused', hubUrl: firstHub(subscription), askAt };
}

const withoutLease = (reason: string) => ({
  lastError: reason,
  failures: 0,
  askedAt: null,
  leaseUntil: null,
  verifiedAt: null,
});

/** A poll found posts that should have been pushed. The hub is asked again and has to prove that it works. */
export function missed({ missedAt, askAt }: Subscription, now: Date): Change {
  return { state: 'missed', missedAt: now, firstSince: 0, askAt: missedAt ? askAt : now };
}

export function first({ state, missedAt, firstSince }: Subscription, now: Date): Change | undefined {
  if (state !== 'missed' || !missedAt) return undefined;
  const isTrusted = firstSince + 1 >= FIRST_SO_OFTEN || now.getTime() - missedAt.getTime() >= NO_MISS_FOR_MS;
  return isTrusted ? { state: 'verified', missedAt: null, firstSince: 0 } : { firstSince: firstSince + 1 };
}

export function pushed(subscription: Subscription, news: boolean, now: Date): Change {
  return { lastPushAt: now, ...(news && first(subscription, now)) };
}

/** The lease has expired without a renewal. The time of the next request stays as it was. */
export function expired(): Change {
  return { state: 'asked', leaseUntil: null, verifiedAt: null };
}

/** The source has no active followers. The hub is not asked again until it has some, and the lease runs out. */
export function unwanted(): Change {
  return { askAt: null, askedAt: null };
}

/** The hub is asked to stop only if it has a lease; later verifications are answered with 404. */
export function ended({ leaseUntil }: Pick<Subscription, 'leaseUntil'>, now: Date): Change | 'gone' {
  return leaseUntil ? { state: 'ending', askAt: now, askedAt: null, failures: 0 } : 'gone';
}

export function isYoung({ begunAt }: Pick<Subscription, 'begunAt'>, now: Date): boolean {
  return now.getTime() - begunAt.getTime() < SAME_FOR_MS;
}

export const isGivenUp = (
  { state, failures }: Pick<Subscription, 'state' | 'failures'>,
  { websubAttempts }: Pick<HubRetries, 'websubAttempts'>,
) => state === 'ending' && failures >= websubAttempts;

const firstHub = ({ hubUrls, hubUrl }: Subscription) => hubUrls[0] ?? hubUrl;

function nextHub({ hubUrls, hubUrl }: Subscription): string | undefined {
  return hubUrls[hubUrls.indexOf(hubUrl) + 1];
}

const after = (now: Date, ms: number) => new Date(now.getTime() + ms);
