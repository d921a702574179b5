import { expect, it } from 'vitest';
import { runningInWords } from './running-in-words';

it('sums a process up, and names only the queues it works on', () => {
  const idle = { queue: 'scrape', running: 0, concurrency: 2, jobs: [] };
  const busy = { queue: 'fetch-rss', running: 3, concurrency: 10, jobs: [] };
  expect(runningInWords([idle])).toBe('0 of 2');
  expect(runningInWords([idle, busy])).toBe('3 of 12: 3 fetch-rss');
});
