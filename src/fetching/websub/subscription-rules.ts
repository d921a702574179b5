import type { Subscription } from './subscriptions.table.js';

/** What is to be written of a subscription. */
export type Change = Partial<Omit<Subscription, 'id' | 'sourceId' | 'token' | 'secret'>>;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** Hubs verify at once or within seconds; after this they are asked again. */
const VERIFIES_WITHIN_MS = 5 * MINUTE;
/** However short the lease is. */
const SOONEST_RENEWAL_MS = 5 * SECOND;
const MAX_LEASE_MS = 365 * DAY;
const FIRST_RETRY_MS = MINUTE;
const MAX_RETRY_MS = DAY;
const REFUSED_FOR_MS = 7 * DAY;
/** Then another hub is asked, if the source names one; one that does not confirm an end is left to its lease. */
const MAX_ATTEMPTS = 3;
/** What a feed says of its hubs is heeded once in so long: each time means requests to addresses of its choice. */
const SAME_FOR_MS = DAY;
/** A hub that has missed something is trusted again when it was first so often, or for so long without a miss. */
const FIRST_SO_OFTEN = 3;
const NO_MISS_FOR_MS = DAY;

/** Until when polling may rely on the hub. */
export function pushedUntil({ state, failures, leaseUntil }: Subscription): Date | null {
  return state === 'verified' && failures === 0 ? leaseUntil : null;
}

/** The hub has verified that we want it. It need not give the lease that was asked for. */
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

/** It took the request, and is to verify it now. */
export function taken(now: Date): Change {
  return { askedAt: now, askAt: after(now, VERIFIES_WITHIN_MS) };
}

/**
 * It could not be asked, or did not verify. While a lease lasts it is tried on, and so it is after it. Where the source
 * names several, they are tried in turn; once none of them could be asked, the first is tried again a day later.
 */
export function failed(subscription: Subscription, reason: string, now: Date): Change {
  const failures = subscription.failures + 1;
  const { state, hubUrls } = subscription;
  if (failures >= MAX_ATTEMPTS && state !== 'ending' && hubUrls.length > 1) {
    const next = nextHub(subscription);
    const askAt = next ? now : after(now, MAX_RETRY_MS);
    return { ...withoutLease(reason), state: 'asked', hubUrl: next ?? firstHub(subscription), askAt };
  }
  const wait = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20), MAX_RETRY_MS);
  return { failures, lastError: reason, askedAt: null, askAt: after(now, wait) };
}

/** It will not. If the source names another hub, that one is asked. */
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

/** A poll found what should have been pushed: it is asked anew, and has to show that it works. */
export function missed({ missedAt, askAt }: Subscription, now: Date): Change {
  return { state: 'missed', missedAt: now, firstSince: 0, askAt: missedAt ? askAt : now };
}

/** It was first with news, be it that it only told of them. */
export function first({ state, missedAt, firstSince }: Subscription, now: Date): Change | undefined {
  if (state !== 'missed' || !missedAt) return undefined;
  const isTrusted = firstSince + 1 >= FIRST_SO_OFTEN || now.getTime() - missedAt.getTime() >= NO_MISS_FOR_MS;
  return isTrusted ? { state: 'verified', missedAt: null, firstSince: 0 } : { firstSince: firstSince + 1 };
}

/** A push has come; `news` says whether it was first with something. */
export function pushed(subscription: Subscription, news: boolean, now: Date): Change {
  return { lastPushAt: now, ...(news && first(subscription, now)) };
}

/** Its lease is over without a new one. When it is asked again stays as it was decided. */
export function expired(): Change {
  return { state: 'asked', leaseUntil: null, verifiedAt: null };
}

/** Nobody active follows the source: it is not asked again before somebody does, and its lease runs out. */
export function unwanted(): Change {
  return { askAt: null, askedAt: null };
}

/** Its hub is told, if it has a lease to end. One that verifies later what it was asked is told that nobody has. */
export function ended({ leaseUntil }: Pick<Subscription, 'leaseUntil'>, now: Date): Change | 'gone' {
  return leaseUntil ? { state: 'ending', askAt: now, askedAt: null, failures: 0 } : 'gone';
}

/** Whether it is kept for now, whatever the source says of its hubs. */
export function isYoung({ begunAt }: Pick<Subscription, 'begunAt'>, now: Date): boolean {
  return now.getTime() - begunAt.getTime() < SAME_FOR_MS;
}

/** Whether a hub that does not confirm the end is left alone. */
export const isGivenUp = ({ state, failures }: Pick<Subscription, 'state' | 'failures'>) =>
  state === 'ending' && failures >= MAX_ATTEMPTS;

const firstHub = ({ hubUrls, hubUrl }: Subscription) => hubUrls[0] ?? hubUrl;

function nextHub({ hubUrls, hubUrl }: Subscription): string | undefined {
  return hubUrls[hubUrls.indexOf(hubUrl) + 1];
}

const after = (now: Date, ms: number) => new Date(now.getTime() + ms);
