import { ScrapeFailure } from '../scraper.js';

/** A signal that aborts with any of the others, or when the time is up. */
export function timeLimit(ms: number, signals: AbortSignal[]) {
  const timeout = AbortSignal.timeout(ms);
  return {
    signal: AbortSignal.any([...signals, timeout]),
    /** Why it was aborted, if it was; whatever a scraper made of that. */
    reason(): unknown {
      const told = signals.find(({ aborted }) => aborted);
      if (told) return told.reason;
      const minutes = Math.round(ms / 60_000);
      const allowed = minutes < 1 ? `${ms / 1_000} seconds` : `${minutes} minutes`;
      return timeout.aborted
        ? new ScrapeFailure(`not done within ${allowed}; what was found until then is kept`)
        : undefined;
    },
  };
}
