import type { KnownWorker } from '../workers/workers.store.js';
import type { CanaryState } from './canaries.store.js';

/** The path of canaries through the broker. All other paths are names of queues. */
export const BROKER_PATH = 'rabbitmq';

export type WorkerLoad = Pick<KnownWorker, 'isThere' | 'running'>;

/** Returns whether all workers of a queue are busy, which is work and not a standstill. */
export function isFull(queue: string, workers: WorkerLoad[]): boolean {
  const pools = poolsOf(queue, workers);
  return pools.length > 0 && pools.every(({ running, concurrency }) => running >= concurrency);
}

export const isServed = (queue: string, workers: WorkerLoad[]) => poolsOf(queue, workers).length > 0;

function poolsOf(queue: string, workers: WorkerLoad[]) {
  const there = workers.filter(({ isThere }) => isThere);
  return there.flatMap(({ running }) => running).filter((pool) => pool.queue === queue);
}

export function isStuck({ isPaused, waitingMs, excusedAgoMs }: CanaryState, limitMs: number): boolean {
  return !isPaused && Math.min(waitingMs ?? 0, excusedAgoMs ?? Number.POSITIVE_INFINITY) > limitMs;
}

/** A path is missed until a canary has returned on it, in any process, and then while one is out for too long. */
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
