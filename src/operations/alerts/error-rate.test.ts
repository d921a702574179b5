import { describe, expect, it } from 'vitest';
import { judgedRuns, recentRuns, tooManyFail } from './error-rate.js';

const now = new Date('2026-05-01T12:00:15Z');
const LIMITS = { errorsPercent: 5, minRuns: 20 };
/** How many minutes ago the minute began in which these runs ended. 0 is the current minute. */
const minute = (ago: number, ended: number, endedBadly: number) => ({
  ended,
  endedBadly,
  at: new Date(new Date('2026-05-01T12:00:00Z').getTime() - ago * 60_000),
});

describe('the error rate', () => {
  it('is that of the last minute: this one, and the share of the one before that is left', () => {
    const runs = recentRuns([minute(1, 100, 20), minute(0, 25, 5)], now);
    expect(runs.lastMinute).toEqual({ ended: 25 + 75, endedBadly: 5 + 15 });
    expect(judgedRuns(runs, 20)).toMatchObject({ ended: 100, endedBadly: 20, span: 'minute' });
  });

  it('is that of the last five where there were few', () => {
    const runs = recentRuns([minute(5, 100, 0), minute(3, 10, 2), minute(0, 10, 1)], now);
    expect(judgedRuns(runs, 20)).toEqual({ ended: 75 + 20, endedBadly: 3, span: '5 minutes' });
  });

  it('is too high above the limit, of at least 20 runs', () => {
    expect(tooManyFail(recentRuns([minute(0, 20, 1)], now), LIMITS)).toBe(false);
    expect(tooManyFail(recentRuns([minute(0, 20, 2)], now), LIMITS)).toBe(true);
    expect(tooManyFail(recentRuns([minute(0, 19, 19)], now), LIMITS)).toBe(false);
  });

  it('is too high half a minute after every tenth run begins to fail', () => {
    const failingSince = (seconds: number) =>
      recentRuns(
        [minute(1, 600, 0), minute(0, 10 * seconds, seconds)],
        new Date(now.getTime() + (seconds - 15) * 1_000),
      );
    expect(tooManyFail(failingSince(29), LIMITS)).toBe(false);
    expect(tooManyFail(failingSince(31), LIMITS)).toBe(true);
  });

  it('is no matter any more once nothing has failed for a minute and a half', () => {
    expect(tooManyFail(recentRuns([minute(1, 19, 19), minute(0, 5, 0)], now), LIMITS)).toBe(true);
    expect(tooManyFail(recentRuns([minute(2, 19, 19), minute(0, 5, 0)], now), LIMITS)).toBe(false);
  });

  it('of work that is seldom done is too high once 20 runs in a row have failed, until one succeeds or none was tried for long', () => {
    const hourly = Array.from({ length: 10 }, (_, place) => minute(3 * place + 2, 2, 2));
    expect(tooManyFail(recentRuns(hourly, now), LIMITS)).toBe(true);
    expect(tooManyFail(recentRuns(hourly.slice(1), now), LIMITS)).toBe(false);
    expect(tooManyFail(recentRuns([...hourly, minute(0, 1, 0)], now), LIMITS)).toBe(false);
    const later = new Date(now.getTime() + 14 * 60_000);
    expect(tooManyFail(recentRuns(hourly, later), LIMITS)).toBe(false);
  });

  it('needs as many runs as is set', () => {
    expect(tooManyFail(recentRuns([minute(0, 3, 2)], now), LIMITS)).toBe(false);
    expect(tooManyFail(recentRuns([minute(0, 3, 2)], now), { errorsPercent: 5, minRuns: 3 })).toBe(true);
  });
});
