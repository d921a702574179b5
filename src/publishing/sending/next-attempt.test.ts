import { describe, expect, it } from 'vitest';
import type { PublishFailureCode } from '../platform.js';
import {
  afterFailure,
  afterReconciliation,
  expiryAt,
  expiryOf,
  firstReconciliationAt,
  nextAttemptAt,
  type OpenCall,
} from './next-attempt.js';

const now = new Date('2026-03-01T12:00:00Z');
const rule = { publishAttempts: 3, publishBackoffMs: 60_000 };
const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const inMinutes = (minutes: number) => inSeconds(minutes * 60);
const secondsUntil = (at: Date) => (at.getTime() - now.getTime()) / 1_000;

/** Expects a delay, which may be up to a tenth longer than documented. */
function expectDelay(at: Date | undefined, seconds: number, documented = seconds): void {
  expect(at && secondsUntil(at)).toBeGreaterThanOrEqual(seconds);
  expect(at && secondsUntil(at)).toBeLessThanOrEqual(seconds + documented / 10);
}

function retryOf(code: PublishFailureCode, { attempts = 1, postponements = 0, until = undefined as Date | undefined }) {
  const step = afterFailure({ code, until }, { attempts, postponements, now, rule });
  if (step.kind !== 'try again') throw new Error(`it is not tried again, but: ${step.kind}`);
  return step;
}

describe('the next attempt', () => {
  it('is a minute after the first, two after the second, and there is no fourth', () => {
    expectDelay(nextAttemptAt(1, now, rule), 60);
    expectDelay(nextAttemptAt(2, now, rule), 120);
    expect(nextAttemptAt(3, now, rule)).toBeUndefined();
  });
});

describe('after a call that failed', () => {
  it.each([
    ['REFUSED', { kind: 'fail' }],
    ['AUTH_ERROR', { kind: 'renew credentials' }],
    ['EXPIRED', { kind: 'expire' }],
    ['UNCERTAIN', { kind: 'reconcile' }],
  ] as const)('%s: %o', (code, step) => {
    expect(afterFailure({ code, until: undefined }, { attempts: 1, postponements: 0, now, rule })).toEqual(step);
  });

  it('a failure that the platform answered counts, and the third is the last', () => {
    expect(retryOf('UNAVAILABLE', { attempts: 2, postponements: 4 })).toMatchObject({
      countsAttempt: true,
      postponements: 0,
    });
    expectDelay(retryOf('UNAVAILABLE', { attempts: 2 }).at, 120);
    expect(
      afterFailure({ code: 'UNAVAILABLE', until: undefined }, { attempts: 3, postponements: 0, now, rule }),
    ).toEqual({
      kind: 'fail',
    });
  });

  it.each(['UNREACHABLE', 'NOT_YET'] as const)(
    '%s costs nothing, however often, and its delays grow to 15 min',
    (code) => {
      const delays = [60, 120, 240, 480, 900, 900];
      for (const [postponements, seconds] of delays.entries()) {
        const step = retryOf(code, { attempts: 3, postponements });
        expect(step).toMatchObject({ countsAttempt: false, postponements: postponements + 1 });
        expectDelay(step.at, seconds);
      }
    },
  );

  it.each(['RATE_LIMITED', 'NOT_YET', 'UNREACHABLE'] as const)('%s waits for the time that is named', (code) => {
    const step = retryOf(code, { postponements: 2, until: inMinutes(3) });
    expect(step).toEqual({ kind: 'try again', at: inMinutes(3), countsAttempt: false, postponements: 2 });
  });

  it.each([undefined, inMinutes(-1)])('a rate limit until %s is over in a quarter of an hour', (until) => {
    expect(retryOf('RATE_LIMITED', { until }).at).toEqual(inMinutes(15));
  });

  it('an uncertain call that names the time of the next one costs nothing', () => {
    const step = afterFailure({ code: 'UNCERTAIN', until: inMinutes(1) }, { attempts: 1, postponements: 0, now, rule });
    expect(step).toEqual({ kind: 'reconcile' });
  });
});

const open = (change: Partial<OpenCall> = {}): OpenCall => ({
  attempts: 1,
  postponements: 0,
  calledAt: inSeconds(-10),
  crashed: false,
  keyUntil: undefined,
  expiresAt: inMinutes(60 * 24),
  now,
  rule,
  ...change,
});
const key = { keyUntil: inMinutes(45) };

describe('the first look', () => {
  const look = { settlesInMs: 10_000, canReconcile: true, until: undefined };

  it('comes as soon as the platform shows what it has, the later ones with growing delays', () => {
    expect(firstReconciliationAt(open(), look)).toEqual(inSeconds(10));
    expectDelay(firstReconciliationAt(open({ postponements: 2 }), look), 240);
  });

  it('comes on schedule where there is nothing to look at', () => {
    expectDelay(firstReconciliationAt(open(), { ...look, canReconcile: false }), 60);
  });

  it('waits for the time that the platform names', () => {
    expect(firstReconciliationAt(open(), { ...look, until: inMinutes(2) })).toEqual(inMinutes(2));
  });

  it.each(['keyUntil', 'expiresAt'] as const)(
    'leaves time for a last call before %s, and comes at that moment after it',
    (end) => {
      const late = { postponements: 4, ...key };
      expect(firstReconciliationAt(open({ ...late, [end]: inMinutes(10) }), look)).toEqual(inSeconds(570));
      expect(firstReconciliationAt(open({ ...late, [end]: inSeconds(20) }), look)).toEqual(inSeconds(20));
    },
  );
});

describe('after a look', () => {
  it('a post in doubt is left to a person', () => {
    expect(afterReconciliation('doubtful', open(key))).toMatchObject({ kind: 'ask a person' });
  });

  it.each(['absent', 'unreadable', 'blind'] as const)(
    'that shows "%s", a call with a key is repeated when it is due',
    (seen) => {
      const wait = afterReconciliation(seen, open({ ...key, calledAt: inSeconds(-10) }));
      expect(wait).toMatchObject({ kind: 'reconcile', postponements: 0 });
      if (wait.kind === 'reconcile') expectDelay(wait.at, 50, 60);
      expect(afterReconciliation(seen, open({ ...key, calledAt: inSeconds(-60) }))).toEqual({ kind: 'repeat' });
      expect(afterReconciliation(seen, open({ ...key, calledAt: inSeconds(-60), postponements: 1 }))).toMatchObject({
        kind: 'reconcile',
      });
      expect(
        afterReconciliation(seen, open({ ...key, calledAt: inMinutes(-15), postponements: 40, attempts: 3 })),
      ).toEqual({
        kind: 'repeat',
      });
    },
  );

  it('a call with a key is repeated at once after a crash of ours', () => {
    expect(afterReconciliation('blind', open({ ...key, crashed: true }))).toEqual({ kind: 'repeat' });
  });

  it('a last repeat comes right before the deadline, though its delay is not over', () => {
    const late = { ...key, calledAt: inMinutes(-5), postponements: 5 };
    expect(afterReconciliation('absent', open({ ...late, expiresAt: inSeconds(25) }))).toEqual({ kind: 'repeat' });
    expect(
      afterReconciliation('absent', open({ ...late, calledAt: inSeconds(-10), expiresAt: inSeconds(15) })),
    ).toMatchObject({
      kind: 'reconcile',
      at: inSeconds(15),
    });
  });

  it('a post that is not there is called again with growing delays, at no attempt, for as long as it may be published', () => {
    const step = afterReconciliation('absent', open({ calledAt: inSeconds(-10) }));
    expect(step).toMatchObject({ kind: 'call again', postponements: 1 });
    if (step.kind === 'call again') expectDelay(step.at, 50, 60);
    const late = afterReconciliation('absent', open({ attempts: 3, calledAt: inSeconds(-10), postponements: 9 }));
    expect(late).toMatchObject({ kind: 'call again', postponements: 10 });
    if (late.kind === 'call again') expectDelay(late.at, 890, 900);
    expect(afterReconciliation('absent', open({ calledAt: inMinutes(-20) }))).toMatchObject({ at: now });
    expect(afterReconciliation('absent', open({ attempts: 1, keyUntil: inMinutes(-1) }))).toMatchObject({
      kind: 'call again',
    });
  });

  it('a crash of ours costs no attempt', () => {
    const step = afterReconciliation('absent', open({ attempts: 3, crashed: true }));
    expect(step).toEqual({ kind: 'call again', at: now, postponements: 0 });
  });

  it('a platform that cannot be read is looked at with growing delays, for a day', () => {
    for (const [postponements, seconds] of [60, 120, 240, 480, 900, 900].entries()) {
      const step = afterReconciliation('unreadable', open({ postponements, attempts: 3 }));
      expect(step).toMatchObject({ kind: 'reconcile', postponements: postponements + 1 });
      if (step.kind === 'reconcile') expectDelay(step.at, seconds);
    }
    expect(afterReconciliation('unreadable', open({ calledAt: inMinutes(-24 * 60) }))).toMatchObject({
      kind: 'ask a person',
    });
  });

  it('a platform that names a time is looked at then', () => {
    const step = afterReconciliation('unreadable', open({ ...key, calledAt: inMinutes(-5) }), inMinutes(2));
    expect(step).toEqual({ kind: 'reconcile', at: inMinutes(2), postponements: 1 });
    expect(afterReconciliation('unreadable', open(), inMinutes(2))).toMatchObject({
      kind: 'reconcile',
      at: inMinutes(2),
    });
  });
});

describe('after its time, a post', () => {
  const over = { ...key, expiresAt: now, calledAt: inMinutes(-5) };

  it('is expired if it is not there', () =>
    expect(afterReconciliation('absent', open(over))).toEqual({ kind: 'expire' }));
  it('is looked for further if the platform cannot be read', () =>
    expect(afterReconciliation('unreadable', open(over))).toMatchObject({ kind: 'reconcile' }));
  it('is left to a person if nobody can look', () =>
    expect(afterReconciliation('blind', open(over))).toMatchObject({
      kind: 'ask a person',
      reason: expect.stringContaining('publish it late'),
    }));
});

describe('a post', () => {
  const day = 86_400_000;

  it('is published until its grace is over', () => {
    expect(expiryOf({ scheduledAt: inMinutes(-24 * 60 + 1), expiresAt: null }, day, now)).toBeUndefined();
    expect(expiryOf({ scheduledAt: inMinutes(-24 * 60), expiresAt: null }, day, now)).toContain('too long ago');
  });

  it('is not published after its own time is over', () => {
    expect(expiryOf({ scheduledAt: now, expiresAt: inMinutes(1) }, day, now)).toBeUndefined();
    expect(expiryOf({ scheduledAt: inMinutes(-2), expiresAt: now }, day, now)).toContain('2026-03-01T12:00:00.000Z');
  });

  it('expires at whichever comes first', () => {
    expect(expiryAt({ scheduledAt: now, expiresAt: inMinutes(1) }, day)).toEqual(inMinutes(1));
    expect(expiryAt({ scheduledAt: now, expiresAt: inMinutes(24 * 60 + 1) }, day)).toEqual(inMinutes(24 * 60));
  });
});
