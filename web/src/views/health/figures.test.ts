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
  expect(figures.get('Delay, median')).toBe('1 min 15 s');
});

it('claims no delay where none was measured', () => {
  expect(figures.get('Delay, 95 %')).toBe('–');
});
