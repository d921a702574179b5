import { expect, it } from 'vitest';
import type { PostTime } from '../../posts/post.js';
import { learnedRhythm } from './learned-rhythm.js';

const HOUR = 3_600_000;
/** Only dated posts tell about regular times, which are stored after this many numbers. */
const WITHOUT_CLOCK = 74;
const now = new Date('2026-05-04T12:00:00Z');
const ago = (hours: number, from = now) => new Date(from.getTime() - hours * HOUR);
const never = { rhythm: null, rhythmAt: null, lastSuccessAt: null };
const dated = (publishedAt: Date) => ({ publishedAt, dated: true });
const fetched = (learned: ReturnType<typeof learnedRhythm>) => ({ ...learned, lastSuccessAt: learned.rhythmAt });
const undated = (count: number, at: Date) =>
  Array.from({ length: count }, (_, place) => ({ publishedAt: new Date(at.getTime() - place), dated: false }));
const every = (hours: number, count: number) =>
  Array.from({ length: count }, (_, back) => dated(ago(hours * (back + 0.5))));

it('begins with the history that the first fetch shows', () => {
  const hourly = learnedRhythm(never, { published: every(1, 48), now });
  const weekly = learnedRhythm(never, { published: every(168, 10), now });
  expect(hourly.postsPerDay).toBeGreaterThan(10 * (weekly.postsPerDay ?? Number.NaN));
  expect(hourly.rhythmAt).toEqual(now);
});

it('learns nothing from undated posts of a history', () => {
  const learned = learnedRhythm(never, { published: undated(50, now), now });
  expect(learned.postsPerDay).toBe(1);
  expect(learned.rhythm?.some((value) => value !== 0)).toBe(false);
});

it('takes a source without any post for a silent one, unless it was fetched before', () => {
  expect(learnedRhythm(never, { published: [], now }).postsPerDay).toBeLessThan(0.02);
  expect(learnedRhythm({ ...never, lastSuccessAt: ago(1) }, { published: [], now }).postsPerDay).toBe(1);
});

it('counts a fetch that finds nothing as time that was watched', () => {
  const before = learnedRhythm(never, { published: every(1, 48), now });
  const later = new Date(now.getTime() + 24 * HOUR);
  const after = learnedRhythm(fetched(before), { published: [], now: later });
  expect(after.postsPerDay).toBeLessThan(before.postsPerDay ?? 0);
  expect(after.rhythmAt).toEqual(later);
});

it('spreads undated posts over the time since the last look', () => {
  const before = learnedRhythm(never, { published: every(1, 48), now });
  const later = new Date(now.getTime() + 4 * HOUR);
  const spread = [0.5, 1.5, 2.5, 3.5].map((hours) => dated(new Date(now.getTime() + hours * HOUR)));
  const learned = (published: PostTime[]) =>
    learnedRhythm(fetched(before), { published, now: later }).rhythm?.slice(0, WITHOUT_CLOCK);
  expect(learned(undated(4, later))).toEqual(learned(spread));
});

it('believes a date however close to the fetch it is', () => {
  const before = learnedRhythm(never, { published: every(1, 48), now });
  const later = new Date(now.getTime() + 4 * HOUR);
  const justNow = new Date(later.getTime() - 5);
  expect(learnedRhythm(fetched(before), { published: [dated(justNow)], now: later })).not.toEqual(
    learnedRhythm(fetched(before), { published: [{ publishedAt: justNow, dated: false }], now: later }),
  );
});

it('takes a feed that has changed all its ids for what it is, and not for fifty new posts', () => {
  const before = learnedRhythm(never, { published: every(24, 30), now });
  const later = new Date(now.getTime() + HOUR);
  const again = every(24, 30).slice(1);
  expect(learnedRhythm(fetched(before), { published: again, now: later })).toEqual(
    learnedRhythm(fetched(before), { published: [], now: later }),
  );
});

it('holds only what a column of real numbers can hold', () => {
  const { rhythm } = learnedRhythm(never, {
    published: every(1, 48).map(({ publishedAt }) => dated(ago(2_000, publishedAt))),
    now,
  });
  expect(rhythm?.filter((value) => Math.fround(value) !== value)).toEqual([]);
});
