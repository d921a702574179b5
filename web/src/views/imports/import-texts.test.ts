import { expect, it } from 'vitest';
import { feedsText, itemsText, optionsText, paceText } from './import-texts';

const NOTHING = { found: 0, new: 0, updated: 0, unchanged: 0, failed: 0 };
const START = '2026-11-15T18:00:00.000Z';
const after = (seconds: number) => Date.parse(START) + seconds * 1_000;

it('counts failed feeds among those that have ended, and names them', () => {
  expect(feedsText({ total: 49, done: 40, failed: 0 })).toBe('40 of 49 feeds');
  expect(feedsText({ total: 49, done: 40, failed: 2 })).toBe('42 of 49 feeds, 2 failed');
});

it('names only what became of some item', () => {
  expect(itemsText(NOTHING)).toBe('0 items');
  expect(itemsText({ ...NOTHING, found: 2_881, new: 2_880, failed: 1 })).toBe('2,881 items · 2,880 new · 1 failed');
});

it('tells how long a running import has taken so far, and at what rate', () => {
  const run = { items: { ...NOTHING, new: 90, unchanged: 10 }, startedAt: START, completedAt: null };
  expect(paceText(run, after(40))).toBe('40 s, 2.5 items per second');
  expect(paceText({ ...run, items: NOTHING }, after(40))).toBe('40 s');
});

it('stops the clock when the import has ended', () => {
  const run = { items: { ...NOTHING, new: 1_000 }, startedAt: START, completedAt: '2026-11-15T18:00:10.000Z' };
  expect(paceText(run, after(4_000))).toBe('10 s, 100 items per second');
});

it('claims no rate for what took less than a second', () => {
  const run = { items: { ...NOTHING, new: 5 }, startedAt: START, completedAt: '2026-11-15T18:00:00.300Z' };
  expect(paceText(run, after(4_000))).toBe('less than a second');
});

it('says what was asked for besides the feeds themselves', () => {
  const fields = { company: { from: ['company'], required: false }, city: { from: ['city'], required: false } };
  expect(optionsText({ follow: false, full: false, fields: null })).toBe('Current posts only');
  expect(optionsText({ follow: true, full: true, fields })).toBe(
    'Follows the feeds. Includes archives. Stores company, city',
  );
});
