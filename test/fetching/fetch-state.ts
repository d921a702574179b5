import type { FetchState } from '../../src/sources/fetch-states.table.js';

/** The state of a source that was never fetched, but for what is given. */
export function fetchState(given: Partial<FetchState> = {}): FetchState {
  const at = new Date(0);
  return {
    id: '1',
    type: 'rss',
    activeFollowers: 1,
    demandEpoch: 0,
    nextFetchAt: null,
    intervalSeconds: null,
    wishSeconds: null,
    rhythm: null,
    rhythmAt: null,
    postsPerDay: null,
    fetches: 0,
    host: null,
    hasHub: false,
    pushedUntil: null,
    allows: {},
    notBefore: null,
    lastFetchAt: null,
    lastSuccessAt: null,
    lastError: null,
    failures: 0,
    failingSince: null,
    failing: false,
    waitsForWorker: false,
    goneAt: null,
    validators: {},
    gaps: [],
    jobState: 'idle',
    jobRun: 1,
    jobFence: 0,
    jobPriority: 0,
    jobRunAt: at,
    jobSweepAt: at,
    ...given,
  };
}
