import { describe, expect, it } from 'vitest';
import { judgedRuns, recentRuns, tooManyFail } from './error-rate.js';

const now = new Date('2026-05-01T12:00:15Z');
/** Minutes ago that the minute began in which these ended; 0 is the one that goes on. */
const minute = (ago: number, ended: number, endedBadly: number) => ({
  ...{ ended, endedBadly, at: new Date(new Date('2026-05-01T12:00:00Z').getTime() - ago * 60_000) },
});

describe('the error rate', () => {
  it('is that of the last minute: this one, and the share of the one before that is left', () => {
    const runs = recentRuns([minute(1, 100, 20), minute(0, 25, 5)], now);
    expect(runs.lastMinute).toEqual({ ended: 25 + 75, endedBadly: 5 + 15 });
    expect(judgedRuns(runs)).toMatchObject({ ended: 100, endedBadly: 20, span: 'minute' });
  });

  it('is that of the last five where there were few', () => {
    const runs = recentRuns([minute(5, 100, 0), minute(3, 10, 2), minute(0, 10, 1)], now);
    expect(judgedRuns(runs)).toEqual({ ended: 75 + 20, endedBadly: 3, span: '5 minutes' });
  });

  it('is too high above the limit, of at least 20 runs', () => {
    expect(tooManyFail(recentRuns([minute(0, 20, 1)], now), 5)).toBe(false);
    expect(tooManyFail(recentRuns([minute(0, 20, 2)], now), 5)).toBe(true);
    expect(tooManyFail(recentRuns([minute(0, 19, 19)], now), 5)).toBe(false);
  });

  it('is too high half a minute after every tenth run begins to fail', () => {
    const failingSince = (seconds: number) =>
      recentRuns(
        [minute(1, 600, 0), minute(0, 10 * seconds, seconds)],
        new Date(now.getTime() + (seconds - 15) * 1_000),
      );
    expect(tooManyFail(failingSince(29), 5)).toBe(false);
    expect(tooManyFail(failingSince(31), 5)).toBe(true);
  });

  it('is no matter any more once nothing has failed for a minute and a half', () => {
    expect(tooManyFail(recentRuns([minute(1, 19, 19), minute(0, 5, 0)], now), 5)).toBe(true);
    expect(tooManyFail(recentRuns([minute(2, 19, 19), minute(0, 5, 0)], now), 5)).toBe(false);
  });
});
