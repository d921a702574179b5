const MINUTE_MS = 60_000;

/** From where on something is not as it should be. */
export const THRESHOLDS = {
  /** Share of the worker processes that should be there. */
  workersAvailable: 0.8,
  /** Jobs in one queue. */
  waiting: 1_000,
  /** Share of the runs that ended in the last minutes, if they were at least so many. */
  errorRate: 0.05,
  errorRateMinutes: 5,
  errorRateRuns: 20,
  oldestWaitingMs: 5 * MINUTE_MS,
} as const;
