import type { Worker } from './use-health';

/** Running jobs and the concurrency of a process: "3 of 12: 2 fetch-rss, 1 publish-mastodon". */
export function runningSummary(pools: Worker['running']): string {
  const sum = (of: (pool: Worker['running'][number]) => number) => pools.reduce((total, pool) => total + of(pool), 0);
  const busy = pools.filter(({ running }) => running > 0).map(({ queue, running }) => `${running} ${queue}`);
  const share = `${sum(({ running }) => running)} of ${sum(({ concurrency }) => concurrency)}`;
  return busy.length ? `${share}: ${busy.join(', ')}` : share;
}
