import { orAborted } from '../time/with-timeout.js';
import { RequestFault } from './outgoing-request-error.js';

/** Timeouts in milliseconds. */
interface Timeouts {
  connect: number;
  headers: number;
  /** Limit between two chunks of the body. */
  body: number;
  /** Limit for all hops together, without waiting for the host. */
  total: number;
  /** Limit for waiting for the host, at each hop. */
  line: number;
}

export interface Limits {
  /** Maximum size of the body, encoded and decoded. */
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

/** The time that a request may take over all its hops. Waiting for a host between two hops does not count. */
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
