import { describe, expect, it } from 'vitest';
import { HYPOTHESES } from './bursts.js';
import { learn, newRhythm, type Rhythm } from './rhythm.js';
import { secondsUntilWorth } from './seconds-until-worth.js';

const DAY = 86_400;
const MIDNIGHT = Date.parse('2026-05-01T00:00:00Z') / 1_000;
const NOON = MIDNIGHT + DAY / 2;
/** Evidence of a source without bursts. */
const evidence = HYPOTHESES.map(({ share }) => (share ? -20 : 0));
/** Returns the rhythm of a source with this many posts a day at any hour, observed for a long time. */
const steady = (perDay: number): Rhythm => ({
  ...newRhythm(NOON),
  posts: perDay * 1e4,
  days: 1e4,
  weekdays: Array(7).fill(perDay * 1e4),
  watchedWeekdays: Array(7).fill(1e4 * DAY),
  evidence,
});
const wait = (rhythm: Rhythm | null, { followers = 1, price = 1_000, from = NOON } = {}) =>
  secondsUntilWorth({ rhythm, activeFollowers: followers }, { price, from });

describe('the time until a fetch is worth its price', () => {
  it('is the root of twice the price by followers and posts', () => {
    expect(wait(steady(86.4), { followers: 2 })).toBeCloseTo(1_000, -1);
    expect(wait(steady(0.5), { price: 10_000 })).toBeCloseTo(58_770, -2);
  });

  it('halves with four times the followers, or four times the posts', () => {
    const one = wait(steady(20));
    expect(wait(steady(20), { followers: 4 })).toBeCloseTo(one / 2, -1);
    expect(wait(steady(80))).toBeCloseTo(one / 2, -1);
  });

  it('goes on beyond a day for what hardly posts', () => {
    expect(wait(steady(0.01))).toBeGreaterThan(DAY);
    expect(wait(steady(0.01))).toBeLessThan(wait(steady(0.005)));
  });

  it('exists for a source of which nothing is known', () => {
    const aPostADay = wait(steady(1));
    expect(wait(null)).toBeGreaterThan(aPostADay * 0.8);
    expect(wait(null)).toBeLessThan(aPostADay * 1.25);
  });

  it('spans the hours at which nothing is posted', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => (hour >= 8 && hour < 20 ? 100 : 0));
    const daily = { ...steady(48), hours, watchedHours: Array(24).fill(DAY) };
    const tillMorning = wait(daily, { from: MIDNIGHT - DAY + 21 * 3_600, price: 10_000 });
    expect(tillMorning).toBeGreaterThan(9 * 3_600);
    expect(tillMorning).toBeLessThan(12 * 3_600);
    expect(wait(daily)).toBeLessThan(wait(steady(48)));
  });
});

describe('after a burst', () => {
  /** Twelve posts within ten minutes, twice a day, until now. */
  const bursts = Array.from({ length: 28 }, (_, n) => NOON - Math.floor(n / 14) * (DAY / 2) - (n % 14) * 40);
  const bursting = learn(learn(null, { at: NOON - 1, since: null, published: bursts.slice(2) }), {
    at: NOON,
    since: NOON - 1,
    published: [],
  });

  it('of a source that bursts the next fetch comes sooner than hours later', () => {
    const quiet = learn(bursting, { at: NOON + 6 * 3_600, since: NOON, published: [] });
    expect(wait(bursting)).toBeLessThan(wait(quiet, { from: NOON + 6 * 3_600 }) / 2);
  });
});

it('never goes back in time, however quiet it was', () => {
  const quiet = { ...steady(100), evidence: HYPOTHESES.map(({ share }) => (share > 0.7 ? 0 : -20)) };
  expect(wait(quiet, { price: 1 })).toBeGreaterThan(0);
  expect(wait(quiet, { price: 1 })).toBeLessThan(wait(quiet, { price: 2 }));
});
