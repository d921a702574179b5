import type { KnownWorker } from '../workers/workers.store.js';

/**
 * Counts the processes that run jobs and those that should. A dead process is missed until another has started in its
 * place.
 */
export function countWorkers(known: Pick<KnownWorker, 'isThere' | 'startedAt' | 'lastSeenAt'>[]) {
  const there = known.filter(({ isThere }) => isThere).map(({ startedAt }) => startedAt.getTime());
  const newest = there.toSorted((a, b) => b - a);
  const died = known.filter(({ isThere }) => !isThere).map(({ lastSeenAt }) => lastSeenAt.getTime());
  // The last death is matched with the last start: if that start was too early, so were all others.
  let replaced = 0;
  for (const lastSeen of died.toSorted((a, b) => b - a)) if ((newest[replaced] ?? 0) > lastSeen) replaced++;
  return { available: there.length, expected: there.length + died.length - replaced };
}
