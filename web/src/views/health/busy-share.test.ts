import { expect, it } from 'vitest';
import { busyShare } from './busy-share';

const worker = (queue: string, running: number, concurrency: number) => ({
  running: [{ queue, running, concurrency, jobs: [] }],
});

it('counts the pools of all processes together', () => {
  const workers = [worker('fetch-rss', 10, 10), worker('fetch-rss', 2, 10), worker('scrape', 2, 2)];
  expect(busyShare(workers, 'fetch-rss')).toBe(0.6);
});

it('claims nothing of a queue that nobody works on', () => {
  expect(busyShare([worker('scrape', 1, 2)], 'fetch-rss')).toBeUndefined();
});
