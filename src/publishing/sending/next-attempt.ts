import type { PublishFailure } from '../platform.js';

/** Attempts that may fail before a post is given up. */
export const MAX_ATTEMPTS = 3;
/** The first of the growing delays. Only test programs lower it. */
export const pacing = { firstDelayMs: 60_000 };
const MAX_DELAY_MS = 15 * 60_000;
/** Delays are up to this share longer, so that posts that failed together do not return together. */
const JITTER = 0.1;
/** The pause after a rate limit whose end the platform does not name. */
const RATE_LIMIT_MS = 15 * 60_000;
/** A post that cannot be looked for is left to a person after this time. */
const MAX_LOOK_MS = 24 * 3_600_000;
/** A delay that would reach beyond a deadline is cut short, so that one last call is made this long before it. */
const LAST_CALL_MS = 30_000;

/** What follows a call that failed while no earlier call of the post is open. */
export type AfterFailure =
  | { kind: 'fail' }
  | { kind: 'expire' }
  | { kind: 'renew credentials' }
  | { kind: 'try again'; at: Date; countsAttempt: boolean; postponements: number }
  | { kind: 'look' };

interface Standing {
  /** Attempts so far, this one included. */
  attempts: number;
  /** How often in a row the post was postponed because the platform could not be reached or read. */
  postponements: number;
  now: Date;
}

/** The table "failure → counts an attempt? → what next" of docs/publishing.md, for calls. */
export function afterFailure(
  { code, until }: Pick<PublishFailure, 'code' | 'until'>,
  { attempts, postponements, now }: Standing,
): AfterFailure {
  const named = until && until > now ? until : undefined;
  const wait = (at: Date, waits = postponements): AfterFailure => {
    return { kind: 'try again', at, countsAttempt: false, postponements: waits };
  };
  switch (code) {
    case 'REFUSED':
      return { kind: 'fail' };
    case 'AUTH_ERROR':
      return { kind: 'renew credentials' };
    case 'EXPIRED':
      return { kind: 'expire' };
    case 'RATE_LIMITED':
      return wait(named ?? plus(now, RATE_LIMIT_MS));
    case 'NOT_YET':
    case 'UNREACHABLE':
      return named ? wait(named) : wait(delayed(now, postponements), postponements + 1);
    case 'UNAVAILABLE': {
      const next = nextAttemptAt(attempts, now);
      if (!next) return { kind: 'fail' };
      return { kind: 'try again', at: latest(next, named), countsAttempt: true, postponements: 0 };
    }
    case 'UNCERTAIN':
      return { kind: 'look' };
  }
}

/** When to attempt again after this many attempts have failed, the last of them at `from`; undefined after the last. */
export function nextAttemptAt(attempts: number, from: Date): Date | undefined {
  return attempts >= MAX_ATTEMPTS ? undefined : delayed(from, Math.max(0, attempts - 1));
}

/** What a look at the platform has shown about a call without a known end. */
export type Seen =
  /** The platform was read, and the post is not there. */
  | 'absent'
  /** Something is there that may be the post or not. */
  | 'doubtful'
  /** The platform could not be asked. */
  | 'unreadable'
  /** The platform offers no way to look. */
  | 'blind';

/** A publication whose last call has no known end. */
export interface OpenCall {
  attempts: number;
  postponements: number;
  /** When the last call was decided on. */
  calledAt: Date;
  /** Our own process ended during the call, which says nothing about the platform. */
  crashed: boolean;
  /** Until when the call may be repeated with its key; undefined if the platform knows no keys. */
  keyUntil: Date | undefined;
  /** After this moment nothing may be sent. */
  expiresAt: Date;
  now: Date;
}

export type AfterLook =
  | { kind: 'expire' }
  /** The same call, with the same key. */
  | { kind: 'repeat' }
  | { kind: 'look'; at: Date; postponements: number }
  /** Another call. The platform did not take the last one, so it costs no attempt. */
  | { kind: 'call again'; at: Date; postponements: number }
  | { kind: 'ask a person'; reason: string };

/** The table "look → what next" of docs/publishing.md. `until` is the time that a platform which cannot be read has named. */
export function afterLook(seen: Seen, call: OpenCall, until?: Date): AfterLook {
  const { now, expiresAt } = call;
  const isOver = expiresAt <= now;
  switch (seen) {
    case 'doubtful':
      return { kind: 'ask a person', reason: 'the platform shows a post that may be this one' };
    case 'absent':
      if (isOver) return { kind: 'expire' };
      return mayRepeat(call) ? repeatWhenDue(call) : callAgain(call);
    case 'unreadable':
      return notBefore(mayRepeat(call) ? repeatWhenDue(call) : lookAgain(call), call, until);
    case 'blind':
      if (mayRepeat(call)) return repeatWhenDue(call);
      return { kind: 'ask a person', reason: isOver ? OVER : 'no call was answered, and the platform cannot be asked' };
  }
}

const OVER =
  'no call was answered before its time was over: a repeat could publish it late, and the platform cannot be asked';

const mayRepeat = ({ keyUntil, expiresAt, now }: OpenCall) =>
  keyUntil !== undefined && keyUntil > now && expiresAt > now;

function repeatWhenDue(call: OpenCall): AfterLook {
  const { calledAt, postponements, crashed, now } = call;
  if (crashed || plus(calledAt, delayMs(postponements)) <= now || isLastCall(call)) return { kind: 'repeat' };
  return { kind: 'look', at: beforeDeadline(delayed(calledAt, postponements), call), postponements };
}

/** Before the time that a platform has named, a repeat would be refused, too. */
function notBefore(step: AfterLook, { now, postponements }: OpenCall, until: Date | undefined): AfterLook {
  if (!until || until <= now) return step;
  if (step.kind === 'repeat') return { kind: 'look', at: until, postponements: postponements + 1 };
  return step.kind === 'look' ? { ...step, at: latest(step.at, until) } : step;
}

function callAgain({ calledAt, crashed, postponements, now }: OpenCall): AfterLook {
  if (crashed) return { kind: 'call again', at: now, postponements };
  return { kind: 'call again', at: latest(delayed(calledAt, postponements), now), postponements: postponements + 1 };
}

function lookAgain(call: OpenCall): AfterLook {
  const { calledAt, postponements, now } = call;
  if (now.getTime() - calledAt.getTime() >= MAX_LOOK_MS)
    return { kind: 'ask a person', reason: 'the platform could not be asked for a day' };
  return { kind: 'look', at: beforeDeadline(delayed(now, postponements), call), postponements: postponements + 1 };
}

/**
 * When to look after a call without a known end. A platform that can be asked is asked soon after the first call, because
 * most lost answers are found then; everything after that comes with growing delays.
 */
export function firstLookAt(
  call: OpenCall,
  { settlesInMs, canLook, until }: { settlesInMs: number; canLook: boolean; until: Date | undefined },
): Date {
  const { now, postponements } = call;
  const settledAt = plus(now, settlesInMs);
  const at = canLook && postponements === 0 ? settledAt : latest(delayed(now, postponements), settledAt);
  return beforeDeadline(latest(at, until), call);
}

/** Deadlines that are over hold nothing up any more. */
function beforeDeadline(at: Date, call: OpenCall): Date {
  const { now } = call;
  const end = deadlineOf(call);
  if (end === undefined || at <= end) return at;
  const lastCall = plus(end, -LAST_CALL_MS);
  return lastCall > now ? lastCall : end;
}

/** The last repeat before the deadline does not wait for its delay. */
function isLastCall(call: OpenCall): boolean {
  const end = deadlineOf(call);
  return end !== undefined && plus(end, -LAST_CALL_MS) <= call.now && plus(call.calledAt, LAST_CALL_MS) <= call.now;
}

function deadlineOf({ keyUntil, expiresAt, now }: OpenCall): Date | undefined {
  const [first] = [keyUntil, expiresAt]
    .filter((end) => end !== undefined && end > now)
    .toSorted((a, b) => Number(a) - Number(b));
  return first;
}

/** After this moment a post is not published any more. */
export function expiryAt({ scheduledAt, expiresAt }: Dated, graceMs: number): Date {
  const graceEndsAt = plus(scheduledAt, graceMs);
  return expiresAt && expiresAt < graceEndsAt ? expiresAt : graceEndsAt;
}

/** Why a post is not published any more, if so. */
export function expiryOf({ scheduledAt, expiresAt }: Dated, graceMs: number, now: Date): string | undefined {
  if (expiresAt && expiresAt <= now) return `it was to be published before ${expiresAt.toISOString()}`;
  const isLate = plus(scheduledAt, graceMs) <= now;
  return isLate ? `it was due at ${scheduledAt.toISOString()}, which is too long ago` : undefined;
}

interface Dated {
  scheduledAt: Date;
  expiresAt: Date | null;
}

/** 60 s × 2ⁿ, at most 15 minutes. */
const delayMs = (n: number) => Math.min(pacing.firstDelayMs * 2 ** n, MAX_DELAY_MS);
const delayed = (from: Date, n: number) => plus(from, delayMs(n) * (1 + Math.random() * JITTER));
const latest = (one: Date, other: Date | undefined) => (other && other > one ? other : one);
const plus = (date: Date, ms: number) => new Date(date.getTime() + ms);
