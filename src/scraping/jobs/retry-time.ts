const MIN_WAIT_MS = 5_000;

interface Waiting {
  until: Date;
  startedAt: Date;
  now: Date;
  timeoutMs: number;
}

/** Each wait is at least a quarter of the elapsed time, so that a source that always says "soon" is asked rarely. */
export function retryTime({ until, startedAt, now, timeoutMs }: Waiting): Date | undefined {
  const passed = now.getTime() - startedAt.getTime();
  const at = Math.max(until.getTime(), now.getTime() + Math.max(MIN_WAIT_MS, passed / 4));
  return at < startedAt.getTime() + timeoutMs ? new Date(at) : undefined;
}
