import { expect, it } from 'vitest';
import { figuresOf } from './figures';

const STATS = {
  workers: { available: 1, expected: 2 },
  queues: { waiting: 1_000, waitingRows: 200, active: 3, delayed: 0, failedLastHour: 4 },
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
  features: [{ feature: 'publishing', ended: 40, failed: 10, errorRate: 0.25 }],
  publishing: {
    due: 120,
    oldestDueSeconds: 75,
    publishedLastHour: 5,
    failedLastHour: 0,
    successRate: 0.995,
    pools: { busy: 3, size: 4, utilisation: 0.75 },
  },
  deadLetters: { open: 2 },
  dependencies: [],
  rabbitmq: null,
  canaries: [],
};

const figures = new Map(figuresOf(STATS).flatMap(([, group]) => group.map(({ name, value }) => [name, value])));

it('rounds to what can be read at a glance', () => {
  expect(figures.get('Workers')).toBe('1 of 2');
  expect(figures.get('Waiting')).toBe('1,200');
  expect(figures.get('Done per minute')).toBe('33.3');
  expect(figures.get('Error rate')).toBe('5.7 %');
  expect(figures.get('Median delay, last hour')).toBe('1 min 15 s');
});

it('tells how fresh posts are, and what that costs', () => {
  expect(figures.get('Median delay')).toBe('4 min');
  expect(figures.get('Fetches without new posts')).toBe('75 %');
  expect(figures.get('Fetches saved by sharing')).toBe('41,000');
  expect(figures.get('Budget used, last hour')).toBe('480 of 500');
});

it('shows the targets of publishing beside what was measured, and how much of each feature fails', () => {
  expect(figures.get('Due (target: under 100)')).toBe('120');
  expect(figures.get('Oldest due (target: 5 min)')).toBe('1 min 15 s');
  expect(figures.get('Success, last hour (target: 99 %)')).toBe('99.5 %');
  expect(figures.get('Pools busy (target: 70–90 %)')).toBe('75 %');
  expect(figures.get('Error rate, publishing')).toBe('25 %');
});

it('names no budget where there is none, and no share of nothing', () => {
  const freshness = { ...STATS.freshness, fetches: 0, emptyFetches: 0, fetchesPerHour: 0, budgetPerHour: null };
  const none = new Map(
    figuresOf({ ...STATS, freshness }).flatMap(([, group]) => group.map((one) => [one.name, one.value])),
  );
  expect(none.get('Fetches without new posts')).toBe('–');
  expect(none.get('Scheduled fetches, last hour')).toBe('0');
});

it('claims no delay where none was measured', () => {
  expect(figures.get('95th percentile, last hour')).toBe('–');
});
