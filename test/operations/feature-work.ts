import type { EndedRuns } from '../../src/operations/alerts/error-rate.js';
import type { FeatureWork, TargetRuns } from '../../src/operations/alerts/work-rules.js';

/** The work of the last minute as the alert rules receive it. */
export function featureWork(lastMinute: EndedRuns, given: Partial<FeatureWork> = {}): FeatureWork {
  const runs = { lastMinute, lastFiveMinutes: lastMinute, failedLately: lastMinute.endedBadly, failedInARow: 0 };
  const told = { feature: 'fetching', target: 'host', sharedCause: 'Check the network.' };
  return { ...told, runs, targets: [], ...given };
}

/** Hosts at which all runs failed. */
export const failedAt = (hosts: string[], runs: number): TargetRuns[] =>
  hosts.map((target) => ({ target, ended: runs, endedBadly: runs, failedLately: runs }));
