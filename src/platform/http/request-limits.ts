import { orAborted } from '../time/with-timeout.js';
import { RequestFault } from './outgoing-request-error.js';

/** All times are in milliseconds. */
interface Timeouts {
  connect: number;
  headers: number;
  body: number;
  /** Limit for all hops together, without waiting for the host. */
  total: number;
  /** Limit for waiting for the host, at each hop. */
  line: number;
}

export interface Limits {
  maxBytes: number;
  maxRedirects: number;
  timeouts: Timeouts;
}

export interface LimitChoices {
  maxBytes?: number | undefined;
  maxRedirects?: number | undefined;
  timeouts?: Partial<Timeouts> | undefined;
}

const TIMEOUTS: Timeouts = { connect: 10_000, headers: 15_000, body: 15_000, total: 30_000, line: 60_000 };

export function limitsFor({ maxBytes = 10_000_000, maxRedirects = 5, timeouts = {} }: LimitChoices): Limits {
  return { maxBytes, maxRedirects, timeouts: { ...TIMEOUTS, ...timeouts } };
}

/** Work that can be retried later and therefore does not wait for a name that resolves slowly. */
export interface BackgroundWork {
  /** The one user that the work is done for. Lookups of one owner are limited together. */
  owner?: string | undefined;
  /** The request belongs to a schedule, which plans with what other requests leave of a host's rate limit. */
  isPlanned?: boolean | undefined;
  /** All requests with a cap together, from all processes, send a host at most this many requests a second. */
  maxPerSecond?: number | undefined;
}

export class TimeAllowance {
  private leftMs: number;

  constructor(
    private readonly totalMs: number,
    private readonly caller: AbortSignal | undefined,
  ) {
    this.leftMs = totalMs;
  }

  /** Settles as soon as the time is up or the caller aborts, even if `work` cannot stop at once. */
  async spend<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { caller } = this;
    caller?.throwIfAborted();
    const stop = new AbortController();
    const onAbort = () => stop.abort(caller?.reason);
    caller?.addEventListener('abort', onAbort);
    const timer = setTimeout(() => stop.abort(this.timeIsOver()), this.leftMs);
    const startedAt = performance.now();
    try {
      return await orAborted(work(stop.signal), stop.signal);
    } catch (error) {
      stop.abort(error); // closes what failed work left open, such as an unread body
      throw error;
    } finally {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onAbort);
      this.leftMs -= performance.now() - startedAt;
    }
  }

  private timeIsOver(): RequestFault {
    return new RequestFault('TIMEOUT', `was not done within ${this.totalMs / 1000} s`);
  }
}
