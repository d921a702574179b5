import { describe, expect, it } from 'vitest';
import { learn, learnEmpty, packRhythm, postsPerDay, type Rhythm, unpackRhythm } from './rhythm.js';

const DAY = 86_400;
const NOW = Date.parse('2026-05-01T12:00:00Z') / 1_000;
const times = (count: number, every: number, from: number) => Array.from({ length: count }, (_, n) => from + n * every);
const perDay = (rhythm: Rhythm | null) => postsPerDay(rhythm);
const history = (published: number[]) => learn(null, { at: NOW, since: null, published });

/** Fetches once an hour a source with this many posts a day. */
function watch(rhythm: Rhythm, days: number, posts: number): Rhythm {
  let known = rhythm;
  for (let hour = 1; hour <= days * 24; hour++) {
    const [since, at] = [known.at, rhythm.at + hour * 3_600];
    const due = Math.floor((hour * posts) / 24) - Math.floor(((hour - 1) * posts) / 24);
    known = learn(known, { at, since, published: times(due, 60, since + 600) });
  }
  return known;
}

describe('how much a source posts', () => {
  it('is about a post a day while nothing is known', () => {
    expect(perDay(null)).toBe(1);
    expect(perDay(history([]))).toBe(1);
  });

  it('is hardly anything where the first fetch shows no posts at all', () => {
    expect(perDay(learnEmpty(NOW))).toBeLessThan(0.02);
    expect(perDay(watch(learnEmpty(NOW), 10, 2))).toBeGreaterThan(0.4);
  });

  it('is hardly anything where the only post is a year old', () => {
    expect(perDay(history([NOW - 365 * DAY]))).toBeLessThan(0.01);
  });

  it('follows from the history that its first fetch shows', () => {
    expect(perDay(history(times(30, DAY / 10, NOW - 3 * DAY)))).toBeCloseTo(9, -0.5);
    expect(perDay(history(times(30, 7 * DAY, NOW - 210 * DAY)))).toBeLessThan(0.25);
  });

  it('follows from the history of a few hours, too', () => {
    expect(perDay(history(times(30, 600, NOW - 18_000)))).toBeGreaterThan(120);
    expect(perDay(history(times(30, 600, NOW - 18_000)))).toBeLessThan(150);
  });

  it('is what it is on a whole day, whatever the hours that were seen', () => {
    const busy = history(times(30, 600, NOW - 18_000));
    expect(perDay(watch(busy, 7, 144))).toBeCloseTo(144, -1);
  });

  it('is little where the history ended long ago', () => {
    expect(perDay(history(times(30, DAY, NOW - 330 * DAY)))).toBeLessThan(0.05);
  });

  it('falls while nothing comes, and rises with what does', () => {
    const first = history(times(30, DAY / 5, NOW - 6 * DAY));
    expect(perDay(watch(first, 10, 0))).toBeLessThan(2);
    expect(perDay(watch(first, 10, 20))).toBeGreaterThan(12);
  });

  it('follows new habits and forgets old ones', () => {
    const busy = watch(history([]), 60, 24);
    expect(perDay(busy)).toBeCloseTo(24, 0);
    expect(perDay(watch(busy, 120, 1))).toBeLessThan(3);
  });

  it('is counted from the oldest that was shown where more may have come unseen', () => {
    const first = history([]);
    const sighting = { at: NOW + DAY, since: NOW, published: times(30, 60, NOW + DAY - 1_800) };
    expect(perDay(learn(first, { ...sighting, cut: true }))).toBeGreaterThan(perDay(learn(first, sighting)));
  });
});

it('remembers no post for longer because others came and went unseen after it', () => {
  const posted = learn(history([]), { at: NOW + 60, since: NOW, published: times(20, 1, NOW + 30) });
  const later = NOW + 60 + DAY;
  const shown = { at: later, since: NOW + 60, published: [later - 10] };
  const [cut, whole] = [true, false].map((cut) => learn(posted, { ...shown, cut }).echoes);
  for (const [place, echo] of (cut ?? []).entries()) expect(echo).toBeCloseTo(whole?.[place] ?? 0, 6);
});

it('believes no post that is dated into the future', () => {
  const rhythm = learn(history([]), { at: NOW + 3_600, since: NOW, published: [NOW + 30 * DAY] });
  expect(rhythm.at).toBe(NOW + 3_600);
  expect(Math.max(...rhythm.echoes)).toBeLessThanOrEqual(1);
});

it('fits a row of 78 numbers of 32 bits, and is the same afterwards', () => {
  const rhythm = watch(history(times(30, 3_000, NOW - 90_000)), 3, 30);
  const packed = packRhythm(rhythm).map(Math.fround);
  expect(packed.length).toBeLessThanOrEqual(78);
  const again = unpackRhythm(packed, rhythm.at);
  expect(perDay(again)).toBeCloseTo(perDay(rhythm), 4);
  expect(packRhythm(again)).toEqual(packed);
});

it('reads a row that was written before clocks were learned', () => {
  const rhythm = watch(history(times(30, 3_000, NOW - 90_000)), 3, 30);
  const before = unpackRhythm(packRhythm(rhythm).slice(0, 74), rhythm.at);
  expect(before.clock.period).toBe(0);
  expect(before.evidence).toHaveLength(6);
  expect(perDay(before)).toBeCloseTo(perDay(rhythm), 4);
});

it('learns the clock of a source from dated posts only', () => {
  const hourly = times(10, 3_600, NOW + 600);
  const first = history([]);
  const sighting = { at: NOW + DAY / 2, since: NOW };
  expect(learn(first, { ...sighting, published: hourly }).clock.hits).toBeGreaterThan(5);
  expect(learn(first, { ...sighting, published: [], guessed: hourly }).clock.hits).toBe(0);
});
