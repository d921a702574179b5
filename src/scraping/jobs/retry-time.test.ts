import { expect, it } from 'vitest';
import { retryTime } from './retry-time.js';

const start = Date.parse('2030-01-01T00:00:00Z');
const after = (seconds: number) => new Date(start + seconds * 1_000);
const asked = (at: number, until: number) =>
  retryTime({ until: after(until), startedAt: after(0), now: after(at), timeoutMs: 900_000 });

it('is when the place wants it', () => {
  expect(asked(10, 70)).toEqual(after(70));
});

it('is not right away, even if the place says so', () => {
  expect(asked(0, 0)).toEqual(after(5));
  expect(asked(0, -100)).toEqual(after(5));
});

it('is too late when the time of the search is up by then', () => {
  expect(asked(10, 899)).toEqual(after(899));
  expect(asked(10, 900)).toBeUndefined();
});

it('comes a few times only, however soon the place wants to be asked', () => {
  let tries = 0;
  for (let now: Date | undefined = after(0); now; tries++) {
    now = retryTime({ until: now, startedAt: after(0), now, timeoutMs: 900_000 });
  }
  expect(tries).toBeGreaterThan(5);
  expect(tries).toBeLessThan(25);
});
