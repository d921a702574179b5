import type { Worker } from './use-health';

/** "3 of 12: 2 fetch-rss, 1 publish-mastodon": what a process does of all that it could do at once. */
export function runningInWords(pools: Worker['running']): string {
  const sum = (of: (pool: Worker['running'][number]) => number) => pools.reduce((total, pool) => total + of(pool), 0);
  const busy = pools.filter(({ running }) => running > 0).map(({ queue, running }) => `${running} ${queue}`);
  const share = `${sum(({ running }) => running)} of ${sum(({ concurrency }) => concurrency)}`;
  return busy.length ? `${share}: ${busy.join(', ')}` : share;
}
