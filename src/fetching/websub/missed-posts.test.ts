import { expect, it } from 'vitest';
import { hasAnnounced, hasMissed, lateAfter } from './missed-posts.js';

const MINUTE = 60_000;
const foundAt = new Date('2026-03-02T12:00:00Z');
const ago = (ms: number) => new Date(foundAt.getTime() - ms);
const verifiedAt = ago(600 * MINUTE);
const found = (...published: Date[]) => ({
  published: published.map((publishedAt) => ({ publishedAt, dated: true })),
  foundAt,
  lastSuccessAt: ago(300 * MINUTE),
  lateMs: lateAfter(1_440 * MINUTE),
});

it('what was published while a hub had promised to push it, and found by a poll, was missed', () => {
  expect(hasMissed({ verifiedAt }, found(ago(20 * MINUTE)))).toBe(true);
  expect(hasMissed({ verifiedAt }, found(ago(1_000 * MINUTE), ago(20 * MINUTE)))).toBe(true);
});

it('what has just come out may still be on its way', () => {
  expect(hasMissed({ verifiedAt }, found(ago(MINUTE)))).toBe(false);
});

it('who polls more often for safety expects a hub to be faster', () => {
  const often = { ...found(ago(MINUTE)), lateMs: lateAfter(MINUTE) };
  expect(hasMissed({ verifiedAt }, often)).toBe(true);
});

it('what was out before the promise was not missed', () => {
  expect(hasMissed({ verifiedAt }, found(ago(700 * MINUTE)))).toBe(false);
  expect(hasMissed({ verifiedAt: null }, found(ago(20 * MINUTE)))).toBe(false);
  expect(hasMissed({ verifiedAt }, found())).toBe(false);
});

it('what bears no time has come since the last poll', () => {
  const undated = { ...found(), published: [foundAt, ago(2)].map((publishedAt) => ({ publishedAt, dated: false })) };
  expect(hasMissed({ verifiedAt }, undated)).toBe(true);
  expect(hasMissed({ verifiedAt }, { ...undated, lastSuccessAt: ago(MINUTE) })).toBe(false);
  expect(hasMissed({ verifiedAt }, { ...undated, lastSuccessAt: ago(900 * MINUTE) })).toBe(false);
  expect(hasMissed({ verifiedAt }, { ...undated, lastSuccessAt: null })).toBe(false);
});

it('a hub has told of what is found if it said since the last poll that there is news', () => {
  const told = { pingedAt: null, pingTakenAt: ago(10 * MINUTE) };
  expect(hasAnnounced(told, ago(20 * MINUTE))).toBe(true);
  expect(hasAnnounced(told, null)).toBe(true);
  expect(hasAnnounced(told, ago(5 * MINUTE))).toBe(false);
  expect(hasAnnounced({ ...told, pingedAt: ago(MINUTE) }, ago(5 * MINUTE))).toBe(true);
  expect(hasAnnounced({ pingedAt: null, pingTakenAt: null }, null)).toBe(false);
});
