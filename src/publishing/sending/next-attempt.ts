import type { Config } from '../../platform/config.js';
import type { Platform, PublishFailure } from '../platform.js';
import type { Publication } from '../publications/publications.table.js';
import { testHooks } from './test-hooks.js';

const MAX_DELAY_MS = 15 * 60_000;
/** Delays are longer by up to this share, so that posts that failed together are not retried together. */
const JITTER = 0.1;
/** The pause (ms) after a rate limit whose end the platform does not name. */
const RATE_LIMIT_MS = 15 * 60_000;
/** A call whose outcome could not be read for this long (ms) is left to a person. */
const MAX_RECONCILIATION_MS = 24 * 3_600_000;
/** A key is not used in the last minute before the platform may forget it. */
const KEY_MARGIN_MS = 60_000;
/** A delay that would reach beyond a deadline is cut short, so that a last call is made this long (ms) before it. */
const LAST_CALL_MS = 30_000;

/** This applies only if no earlier call of the publication has an unknown outcome. */
export type AfterFailure =
  | { kind: 'fail' }
  | { kind: 'expire' }
  | { kind: 'renew credentials' }
  | { kind: 'try again'; at: Date; countsAttempt: boolean; postponements: number }
  | { kind: 'reconcile' };

type RetryRule = Pick<Config, 'publishAttempts' | 'publishBackoffMs'>;

interface AttemptState {
  attempts: number;
  postponements: number;
  now: Date;
  rule: RetryRule;
}

/** See the table "failure → counts an attempt? → what next" of docs/publishing.md. */
export function afterFailure(
  { code, until }: Pick<PublishFailure, 'code' | 'until'>,
  { attempts, postponements, now, rule }: AttemptState,
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
      return named ? wait(named) : wait(delayed(now, postponements, rule), postponements + 1);
    case 'UNAVAILABLE': {
      const next = nextAttemptAt(attempts, now, rule);
      if (!next) return { kind: 'fail' };
      return { kind: 'try again', at: latest(next, named), countsAttempt: true, postponements: 0 };
    }
    case 'UNCERTAIN':
      return { kind: 'reconcile' };
  }
}

/** The last of the failures was at `from`. Returns undefined after the last attempt. */
export function nextAttemptAt(attempts: number, from: Date, rule: RetryRule): Date | undefined {
  return attempts >= rule.publishAttempts ? undefined : delayed(from, Math.max(0, attempts - 1), rule);
}

export type ReconciliationResult =
  | 'absent'
  /** The platform shows a post that may or may not be this one. */
  | 'doubtful'
  | 'unreadable'
  | 'blind';

export interface OpenCall {
  attempts: number;
  postponements: number;
  calledAt: Date;
  /** Our own process ended during the call, which says nothing about the platform. */
  crashed: boolean;
  /** The call may be repeated with its key until then. Undefined if the platform does not recognise keys. */
  keyUntil: Date | undefined;
  expiresAt: Date;
  now: Date;
  rule: Pick<RetryRule, 'publishBackoffMs'>;
}

/** For this long (ms) after a call, the platform may not show the post yet. */
export const settlesInMs = (platform: Pick<Platform, 'settlesInMs'> | undefined) =>
  platform?.settlesInMs ?? testHooks.settlesInMs;

export function openCallOf(
  publication: Publication,
  platform: Pick<Platform, 'knowsKeysForMs'>,
  { config, now }: { config: Pick<Config, 'publishCallMs' | 'publishGraceMs' | 'publishBackoffMs'>; now: Date },
): OpenCall {
  const { attempts, postponements, intendedAt, lastError } = publication;
  return {
    attempts,
    postponements,
    calledAt: intendedAt ?? now,
    crashed: lastError === null,
    keyUntil: keyUntilOf(publication, platform.knowsKeysForMs, config.publishCallMs),
    expiresAt: expiryAt(publication, config.publishGraceMs),
    now,
    rule: config,
  };
}

/** The time counts from the first call, because that may be the one that the platform accepted. */
function keyUntilOf({ firstTriedAt, createdAt }: Publication, knowsKeysForMs: number | undefined, callMs: number) {
  if (knowsKeysForMs === undefined) return undefined;
  return new Date((firstTriedAt ?? createdAt).getTime() + knowsKeysForMs - callMs - KEY_MARGIN_MS);
}

export type AfterReconciliation =
  | { kind: 'expire' }
  | { kind: 'repeat' }
  | { kind: 'reconcile'; at: Date; postponements: number }
  /** The platform did not accept the last call, so another one costs no attempt. */
  | { kind: 'call again'; at: Date; postponements: number }
  | { kind: 'ask a person'; reason: string };

/** See the table "look → what next" of docs/publishing.md. `until` is the time that an unreadable platform named. */
export function afterReconciliation(seen: ReconciliationResult, call: OpenCall, until?: Date): AfterReconciliation {
  const { now, expiresAt } = call;
  const isOver = expiresAt <= now;
  switch (seen) {
    case 'doubtful':
      return { kind: 'ask a person', reason: 'the platform shows a post that may be this one' };
    case 'absent':
      if (isOver) return { kind: 'expire' };
      return mayRepeat(call) ? repeatWhenDue(call) : callAgain(call);
    case 'unreadable':
      return notBefore(mayRepeat(call) ? repeatWhenDue(call) : reconcileAgain(call), call, until);
    case 'blind':
      if (mayRepeat(call)) return repeatWhenDue(call);
      return { kind: 'ask a person', reason: isOver ? OVER : 'no call was answered, and the platform cannot be asked' };
  }
}

const OVER =
  'no call was answered before its time was over: a repeat could publish it late, and the platform cannot be asked';

const mayRepeat = ({ keyUntil, expiresAt, now }: OpenCall) =>
  keyUntil !== undefined && keyUntil > now && expiresAt > now;

function repeatWhenDue(call: OpenCall): AfterReconciliation {
  const { calledAt, postponements, crashed, now, rule } = call;
  if (crashed || plus(calledAt, delayMs(postponements, rule)) <= now || isLastCall(call)) return { kind: 'repeat' };
  return { kind: 'reconcile', at: beforeDeadline(delayed(calledAt, postponements, rule), call), postponements };
}

/** A repeat before the time that the platform has named would be refused, too. */
function notBefore(
  step: AfterReconciliation,
  { now, postponements }: OpenCall,
  until: Date | undefined,
): AfterReconciliation {
  if (!until || until <= now) return step;
  if (step.kind === 'repeat') return { kind: 'reconcile', at: until, postponements: postponements + 1 };
  return step.kind === 'reconcile' ? { ...step, at: latest(step.at, until) } : step;
}

function callAgain({ calledAt, crashed, postponements, now, rule }: OpenCall): AfterReconciliation {
  if (crashed) return { kind: 'call again', at: now, postponements };
  return {
    kind: 'call again',
    at: latest(delayed(calledAt, postponements, rule), now),
    postponements: postponements + 1,
  };
}

function reconcileAgain(call: OpenCall): AfterReconciliation {
  const { calledAt, postponements, now, rule } = call;
  if (now.getTime() - calledAt.getTime() >= MAX_RECONCILIATION_MS)
    return { kind: 'ask a person', reason: 'the platform could not be asked for a day' };
  return {
    kind: 'reconcile',
    at: beforeDeadline(delayed(now, postponements, rule), call),
    postponements: postponements + 1,
  };
}

/** A platform is searched soon after the first call, because most lost answers are found then. */
export function firstReconciliationAt(
  call: OpenCall,
  { settlesInMs, canReconcile, until }: { settlesInMs: number; canReconcile: boolean; until: Date | undefined },
): Date {
  const { now, postponements, rule } = call;
  const settledAt = plus(now, settlesInMs);
  const at = canReconcile && postponements === 0 ? settledAt : latest(delayed(now, postponements, rule), settledAt);
  return beforeDeadline(latest(at, until), call);
}

/** Moves a time before the deadline. A deadline that has passed has no effect. */
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

export function expiryAt({ scheduledAt, expiresAt }: PublicationDates, graceMs: number): Date {
  const graceEndsAt = plus(scheduledAt, graceMs);
  return expiresAt && expiresAt < graceEndsAt ? expiresAt : graceEndsAt;
}

export function expiryOf({ scheduledAt, expiresAt }: PublicationDates, graceMs: number, now: Date): string | undefined {
  if (expiresAt && expiresAt <= now) return `it was to be published before ${expiresAt.toISOString()}`;
  const isLate = plus(scheduledAt, graceMs) <= now;
  return isLate ? `it was due at ${scheduledAt.toISOString()}, which is too long ago` : undefined;
}

interface PublicationDates {
  scheduledAt: Date;
  expiresAt: Date | null;
}

type Backoff = Pick<RetryRule, 'publishBackoffMs'>;
const delayMs = (n: number, { publishBackoffMs }: Backoff) => Math.min(publishBackoffMs * 2 ** n, MAX_DELAY_MS);
const delayed = (from: Date, n: number, rule: Backoff) => plus(from, delayMs(n, rule) * (1 + Math.random() * JITTER));
const latest = (one: Date, other: Date | undefined) => (other && other > one ? other : one);
const plus = (date: Date, ms: number) => new Date(date.getTime() + ms);
