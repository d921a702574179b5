import type { KnownWorker } from '../workers/workers.store.js';
import type { CanaryState } from './canaries.store.js';

/** The path of the canaries that go through the broker; all others have the names of their queues. */
export const BROKER_PATH = 'rabbitmq';

export type Working = Pick<KnownWorker, 'isThere' | 'running'>;

/** Whether all that could run jobs of a queue have their hands full: that is work, and no standstill. */
export function isFull(queue: string, workers: Working[]): boolean {
  const there = workers.filter(({ isThere }) => isThere);
  const pools = there.flatMap(({ running }) => running).filter((pool) => pool.queue === queue);
  return pools.length > 0 && pools.every(({ running, concurrency }) => running >= concurrency);
}

/** It has been out for longer than that, and nothing else is known to have kept it in that time. */
export function isStuck({ isPaused, waitingMs, excusedAgoMs }: CanaryState, limitMs: number): boolean {
  return !isPaused && Math.min(waitingMs ?? 0, excusedAgoMs ?? Number.POSITIVE_INFINITY) > limitMs;
}

/**
 * The paths whose canary this process misses. At first it wants one to have come back, by whoever's hand; from then on it bears
 * that one is out for as long as the limit. `known` are the paths that it has seen one come back from.
 */
export function missedCanaries(paths: string[], states: CanaryState[], seen: { known: Set<string>; limitMs: number }) {
  const byPath = new Map(states.map((state) => [state.path, state]));
  return paths.filter((path) => {
    const state = byPath.get(path);
    if (state?.isPaused) return false;
    if (!state) return true;
    if (state.returnedAgoMs !== null && state.returnedAgoMs <= seen.limitMs) seen.known.add(path);
    return !seen.known.has(path) || (state.waitingMs ?? 0) > seen.limitMs;
  });
}
