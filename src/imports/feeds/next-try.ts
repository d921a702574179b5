import { type FetchFailure, type FetchFailureCode, NoWorker } from '../../fetching/fetcher.js';
import { failureOf, isHostsFault } from '../../fetching/run/fetch-failure.js';

/** Maximum time that an import waits for a host that refuses requests. */
const MAX_WAIT_MS = 3_600_000;
const HOST_BUSY_MS = 2_000;

const PASSING: readonly FetchFailureCode[] = ['NETWORK_ERROR', 'TIMEOUT_ERROR', 'RATE_LIMITED', 'UNKNOWN_ERROR'];

export type NextTry =
  /** No request was sent, or the host named a time. This does not count as an attempt. */
  | { kind: 'later'; until: Date; reason: string }
  | { kind: 'again' | 'never'; reason: string; failure?: FetchFailure | undefined };

/** Returns undefined for internal errors. */
export function nextTry(error: unknown, { startedAt, now }: { startedAt: Date; now: Date }): NextTry | undefined {
  if (error instanceof NoWorker) return { kind: 'never', reason: error.message };
  const { message: reason } = error as Error;
  if (isHostsFault(error) && error.code === 'HOST_BUSY')
    return { kind: 'later', until: error.until ?? busyUntil(now), reason };
  const failure = failureOf(error);
  if (!failure) return undefined;
  const { until } = failure;
  if (until && until.getTime() - startedAt.getTime() <= MAX_WAIT_MS) return { kind: 'later', until, reason };
  const mayPass = !until && (failure.retryable || PASSING.includes(failure.code));
  return { kind: mayPass ? 'again' : 'never', reason, failure };
}

const busyUntil = (now: Date) => new Date(now.getTime() + HOST_BUSY_MS * (1 + Math.random()));
