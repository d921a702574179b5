import { expect, it } from 'vitest';
import { freshness } from './freshness';

const HOUR = 3_600_000;
const at = (hours: number) => new Date(hours * HOUR).toISOString();
const hourly = { state: 'active', intervalSeconds: 3_600, lastSuccessAt: at(10), nextFetchAt: at(11) } as const;

it('is fresh until the next fetch is due, and says how far that is', () => {
  expect(freshness(hourly, 10.25 * HOUR)).toEqual({ level: 'fresh', share: 0.25 });
});

it('is due for a while, then late', () => {
  expect(freshness(hourly, 11.2 * HOUR).level).toBe('due');
  expect(freshness(hourly, 11.6 * HOUR)).toEqual({ level: 'late', share: 1 });
});

it('gives a source that is fetched every few seconds a minute before it is late', () => {
  const quick = { ...hourly, intervalSeconds: 5, nextFetchAt: at(10) };
  expect(freshness(quick, 10 * HOUR + 50_000).level).toBe('due');
  expect(freshness(quick, 10 * HOUR + 70_000).level).toBe('late');
});

it('is late when fetches failed, even where the next one is far ahead', () => {
  expect(freshness({ ...hourly, nextFetchAt: at(30) }, 12.5 * HOUR).level).toBe('late');
  expect(freshness({ ...hourly, state: 'failing' }, 10.1 * HOUR).level).toBe('late');
});

it('knows what was never fetched, and what is not fetched at all', () => {
  expect(freshness({ ...hourly, lastSuccessAt: null }, 0).level).toBe('new');
  expect(freshness({ ...hourly, state: 'gone' }, 10 * HOUR).level).toBe('inactive');
  expect(freshness({ ...hourly, state: 'paused' }, 10 * HOUR).level).toBe('inactive');
});

it('never says more than the whole when clocks differ', () => {
  expect(freshness(hourly, 9 * HOUR)).toEqual({ level: 'fresh', share: 0 });
});
