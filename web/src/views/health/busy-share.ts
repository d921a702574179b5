import type { Worker } from './use-health';

/** Running jobs divided by concurrency over all processes, from 0 to 1; undefined if no process serves the queue. */
export function busyShare(workers: Pick<Worker, 'running'>[], queue: string): number | undefined {
  const pools = workers.flatMap(({ running }) => running).filter((pool) => pool.queue === queue);
  const sum = (of: 'running' | 'concurrency') => pools.reduce((total, pool) => total + pool[of], 0);
  return sum('concurrency') ? sum('running') / sum('concurrency') : undefined;
}
