import type { KnownWorker } from '../workers/workers.store.js';

/** How many processes run jobs, and how many should: one that died is missed until another has started in its place. */
export function countWorkers(known: Pick<KnownWorker, 'isThere' | 'startedAt' | 'lastSeenAt'>[]) {
  const there = known.filter(({ isThere }) => isThere).map(({ startedAt }) => startedAt.getTime());
  const newest = there.toSorted((a, b) => b - a);
  const died = known.filter(({ isThere }) => !isThere).map(({ lastSeenAt }) => lastSeenAt.getTime());
  // The last to die is matched with the last to start: if that one came too early, so did all others.
  let replaced = 0;
  for (const lastSeen of died.toSorted((a, b) => b - a)) if ((newest[replaced] ?? 0) > lastSeen) replaced++;
  return { available: there.length, expected: there.length + died.length - replaced };
}
