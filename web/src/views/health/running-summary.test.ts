import { expect, it } from 'vitest';
import { runningSummary } from './running-summary';

it('sums a process up, and names only the queues it works on', () => {
  const idle = { queue: 'scrape', running: 0, concurrency: 2, jobs: [] };
  const busy = { queue: 'fetch-rss', running: 3, concurrency: 10, jobs: [] };
  expect(runningSummary([idle])).toBe('0 of 2');
  expect(runningSummary([idle, busy])).toBe('3 of 12: 3 fetch-rss');
});
