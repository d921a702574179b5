import { expect, it } from 'vitest';
import { figuresOf } from './figures';

const STATS = {
  workers: { available: 1, expected: 2 },
  queues: { waiting: 1_200, active: 3, delayed: 0, failedLastHour: 4 },
  jobs: { donePerMinute: 33.333, failedPerMinute: 0, errorRate: 0.0567 },
  fetching: {
    sources: 30,
    active: 20,
    failing: 1,
    paused: 9,
    gone: 0,
    stale: 0,
    medianDelaySeconds: 75,
    p95DelaySeconds: null,
  },
  freshness: {
    medianDelaySeconds: 240,
    p95DelaySeconds: 3_600,
    fetches: 12_000,
    emptyFetches: 9_000,
    savedFetches: 41_000,
    fetchesPerHour: 480,
    budgetPerHour: 500,
    price: 3_600,
  },
  publishing: { due: 0, publishedLastHour: 5, failedLastHour: 0 },
  deadLetters: { open: 2 },
  dependencies: [],
  canaries: [],
};

const figures = new Map(figuresOf(STATS).flatMap(([, group]) => group.map(({ name, value }) => [name, value])));

it('rounds to what can be read at a glance', () => {
  expect(figures.get('Workers')).toBe('1 of 2');
  expect(figures.get('Waiting')).toBe('1,200');
  expect(figures.get('Done a minute')).toBe('33.3');
  expect(figures.get('Runs that fail')).toBe('5.7 %');
  expect(figures.get('Delay, last hour')).toBe('1 min 15 s');
});

it('tells how fresh posts are, and what that costs', () => {
  expect(figures.get('Delay, median')).toBe('4 min');
  expect(figures.get('Of these, nothing new')).toBe('75 %');
  expect(figures.get('Saved by sharing')).toBe('41,000');
  expect(figures.get('Budget used, last hour')).toBe('480 of 500');
});

it('names no budget where there is none, and no share of nothing', () => {
  const freshness = { ...STATS.freshness, fetches: 0, emptyFetches: 0, fetchesPerHour: 0, budgetPerHour: null };
  const none = new Map(
    figuresOf({ ...STATS, freshness }).flatMap(([, group]) => group.map((one) => [one.name, one.value])),
  );
  expect(none.get('Of these, nothing new')).toBe('–');
  expect(none.get('Fetches on schedule, last hour')).toBe('0');
});

it('claims no delay where none was measured', () => {
  expect(figures.get('Delay, 95 %, last hour')).toBe('–');
});
