const MIN_WAIT_MS = 5_000;

interface Waiting {
  /** When the place wants to be asked again. */
  until: Date;
  startedAt: Date;
  now: Date;
  /** How long a search may take. */
  timeoutMs: number;
}

/**
 * When to search again a place that wants to be left alone for a while; undefined if that is too late. Each wait is at
 * least a quarter of the time that has passed, so that one that keeps saying "soon" is asked a few times, not hundreds.
 */
export function nextTry({ until, startedAt, now, timeoutMs }: Waiting): Date | undefined {
  const passed = now.getTime() - startedAt.getTime();
  const at = Math.max(until.getTime(), now.getTime() + Math.max(MIN_WAIT_MS, passed / 4));
  return at < startedAt.getTime() + timeoutMs ? new Date(at) : undefined;
}
