/** Timeouts in milliseconds. */
interface Timeouts {
  /** Limit for DNS lookup, TCP and TLS together. */
  connect: number;
  /** Limit from the request to the response headers. */
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
