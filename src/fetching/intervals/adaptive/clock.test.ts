import { describe, expect, it } from 'vitest';
import { type Clock, noClock, packClock, secondsUntilPosted, tick, unpackClock } from './clock.js';

const HOUR = 3_600;
const NOW = Date.parse('2026-05-01T12:00:00Z') / 1_000;

function clockOf(times: number[]): Clock {
  const clock = noClock(NOW);
  for (const time of times) tick(clock, time);
  return clock;
}

/** Up to a minute late, as a program that is run by a timer. */
const late = (n: number) => (n * 37) % 60;
const hourly = (count: number) => Array.from({ length: count }, (_, n) => NOW - (count - 1 - n) * HOUR + late(n));
const wait = (clock: Clock, { from = NOW + 600, enough = 300 } = {}) => secondsUntilPosted(clock, { from, enough });

describe('a source that posts every hour', () => {
  it('is fetched just after its next post', () => {
    const seconds = wait(clockOf(hourly(30))) ?? 0;
    expect(600 + seconds).toBeGreaterThan(HOUR + 59);
    expect(600 + seconds).toBeLessThan(HOUR + 120);
  });

  it('is known by its sixth post', () => {
    expect(wait(clockOf(hourly(5)))).toBeUndefined();
    expect(wait(clockOf(hourly(6)))).toBeGreaterThan(0);
  });

  it('is fetched after several posts where a fetch costs more than waiting for one', () => {
    const clock = clockOf(hourly(30));
    const one = wait(clock) ?? 0;
    expect(wait(clock, { enough: HOUR })).toBeCloseTo(one);
    expect(wait(clock, { enough: 3 * HOUR })).toBeCloseTo(one + HOUR, -1);
    expect(wait(clock, { enough: 3 * HOUR + 60 })).toBeCloseTo(one + 2 * HOUR, -1);
  });

  it('is not waited for once a post is overdue', () => {
    expect(wait(clockOf(hourly(30)), { from: NOW + HOUR + 600 })).toBeUndefined();
  });

  it('may leave out posts, or post one in between', () => {
    const times = hourly(30).filter((_, n) => n % 7 !== 3);
    times.splice(20, 0, ((times[19] ?? 0) + (times[20] ?? 0)) / 2);
    expect(600 + (wait(clockOf(times)) ?? 0)).toBeCloseTo(HOUR + 60, -2);
  });

  it('is learned again when it posts at another minute', () => {
    const before = hourly(20).map((time) => time - 20 * HOUR - 1_500);
    expect(600 + (wait(clockOf(before.concat(hourly(20)))) ?? 0)).toBeCloseTo(HOUR + 60, -2);
  });

  it('may be a few seconds slow each time', () => {
    const slow = Array.from({ length: 40 }, (_, n) => NOW - (39 - n) * (HOUR + 7));
    expect(600 + (wait(clockOf(slow)) ?? 0)).toBeCloseTo(HOUR + 20, -1.5);
  });
});

it('takes posts at random times for no clock', () => {
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const clock = noClock(NOW);
  let [time, trusted] = [NOW, 0];
  for (let n = 0; n < 2_000; n++) {
    time += -Math.log(random()) * HOUR;
    tick(clock, time);
    if (wait(clock, { from: time }) !== undefined) trusted++;
  }
  expect(trusted).toBeLessThan(5);
});

it('ignores posts that come all at once', () => {
  expect(wait(clockOf(Array.from({ length: 30 }, (_, n) => NOW - 60 * (29 - n))))).toBeUndefined();
});

describe('a stored clock', () => {
  const clock = clockOf(hourly(30));
  const packed = packClock(clock, NOW).map(Math.fround);

  it('is the same afterwards', () => {
    const again = unpackClock([1, 2].concat(packed), 2, NOW);
    expect(again.hits).toBe(clock.hits);
    expect(again.period).toBeCloseTo(clock.period, 1);
    expect(again.at).toBeCloseTo(clock.at, 1);
    expect(again.spread).toBeCloseTo(clock.spread, 1);
  });

  it('is lower than evidence, which an earlier version takes it for and keeps above -20', () => {
    expect(Math.max(...packed)).toBeLessThan(-1_000);
    expect(
      unpackClock(
        packed.map(() => -20),
        0,
        NOW,
      ),
    ).toEqual(noClock(NOW));
  });

  it('takes no space while nothing is known', () => {
    expect(packClock(noClock(NOW), NOW)).toEqual([]);
    expect(unpackClock([], 0, NOW)).toEqual(noClock(NOW));
  });
});
