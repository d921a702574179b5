import { expect, it } from 'vitest';
import { countHistory, countPost, countWatched, factorAt, factorsOf, flatProfile, type Profile } from './profile.js';

const MONDAY = Date.parse('2026-01-05T00:00:00Z') / 1_000;
const HOUR = 3_600;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const at = (hour: number, day = 0) => MONDAY + day * DAY + hour * HOUR;
const factor = (profile: Profile, time: number) => factorAt(factorsOf(profile), time);
const unfading = (seconds: number) => seconds;

/** Counts posts in an observed period. */
function posting(count: number, time: (n: number) => number, [from, to] = [MONDAY, MONDAY + WEEK]): Profile {
  const profile = flatProfile();
  countHistory(profile, { from, to }, unfading);
  for (let n = 0; n < count; n++) countPost(profile, time(n), 1);
  return profile;
}

it('expects the same of every hour while nothing is known, and less of weekends', () => {
  const [monday, friday, saturday, sunday] = [at(0), at(13, 4), at(5, 5), at(5, 6)].map((time) =>
    factor(flatProfile(), time),
  );
  expect(monday).toBeCloseTo(friday ?? 0);
  expect(saturday).toBeCloseTo(sunday ?? 0);
  expect(saturday).toBeCloseTo(0.75);
});

it('expects most at the hours that posts came at, something beside them, little at others', () => {
  const profile = posting(200, (n) => at(9.5, n % 7));
  expect(factor(profile, at(9))).toBeGreaterThan(7);
  expect(factor(profile, at(10))).toBeGreaterThan(3);
  expect(factor(profile, at(10))).toBeLessThan(factor(profile, at(9)));
  expect(factor(profile, at(20))).toBeLessThan(0.2);
});

it('takes few posts for little proof', () => {
  const at20 = (posts: number) =>
    factor(
      posting(posts, (n) => at(9, n % 7)),
      at(20),
    );
  expect(at20(0)).toBeGreaterThan(1);
  expect(at20(1)).toBeGreaterThan(at20(2));
  expect(at20(2)).toBeGreaterThan(3 * at20(20));
});

it('expects a day with one peak: few posts near each other say where, not at which hours exactly', () => {
  const profile = posting(12, (n) => at(8 + (n % 3) * 2, n % 5));
  expect(factor(profile, at(9))).toBeCloseTo(factor(profile, at(10)), 0);
  expect(factor(profile, at(9))).toBeGreaterThan(2 * factor(profile, at(16)));
  expect(factor(profile, at(16))).toBeGreaterThan(2 * factor(profile, at(22)));
});

it('learns other days from many posts', () => {
  const profile = posting(2_000, (n) => at(n % 2 ? 6 : 18, n % 5));
  expect(factor(profile, at(6))).toBeGreaterThan(3);
  expect(factor(profile, at(18))).toBeGreaterThan(3);
  expect(factor(profile, at(12))).toBeLessThan(0.5);
});

it('takes weekends for what few of them have shown, and each day for what many have', () => {
  const quiet = posting(60, (n) => at(n % 24, n % 5));
  expect(factor(quiet, at(12, 6))).toBeLessThan(0.35);
  const tuesdays = posting(1_000, (n) => at(n % 24, 1));
  expect(factor(tuesdays, at(12, 1))).toBeGreaterThan(10 * factor(tuesdays, at(12, 2)));
});

it('takes hours and days that were not watched for no quieter than others', () => {
  const profile = posting(30, (n) => at(9 + n / 10), [at(9), at(12)]);
  expect(factor(profile, at(20))).toBeGreaterThan(0.8);
  expect(factor(profile, at(10, 3))).toBeGreaterThan(0.8);
  expect(factor(profile, at(10))).toBeLessThan(1.25);
});

it('learns of an hour that was watched in vain that it is quiet', () => {
  const profile = posting(30, (n) => at(9 + n / 10), [at(9), at(12)]);
  countWatched(profile, { from: at(12), to: at(24) }, factorsOf(profile));
  expect(factor(profile, at(20))).toBeLessThan(factor(profile, at(10)) / 4);
  expect(factor(profile, at(4))).toBeGreaterThan(factor(profile, at(20)) * 2);
});

it('knows weekends', () => {
  const profile = posting(400, (n) => at(n % 24, n % 5));
  expect(factor(profile, at(12, 6))).toBeLessThan(factor(profile, at(12, 2)) / 4);
});

it('comes to the same over a week, whatever the hours', () => {
  const profile = posting(300, (n) => at(8 + (n % 4), n % 5));
  expect(countWatched(flatProfile(), { from: MONDAY, to: MONDAY + WEEK }, factorsOf(profile)) / WEEK).toBeCloseTo(1);
});

it('counts all of a history, the last week of it hour by hour', () => {
  const profile = flatProfile();
  countHistory(profile, { from: MONDAY - 5 * WEEK, to: MONDAY + HOUR }, (seconds) => seconds / 2);
  const watched = profile.watchedHours.reduce((sum, seconds) => sum + seconds);
  expect(watched).toBeCloseTo((5 * WEEK + HOUR) / 2);
  expect(profile.watchedWeekdays.reduce((sum, seconds) => sum + seconds)).toBeCloseTo(watched);
});
