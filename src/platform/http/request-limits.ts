/** In milliseconds. */
interface Timeouts {
  /** Looking up the name, TCP and TLS. */
  connect: number;
  /** From the request to the head of the answer. */
  headers: number;
  /** Between two pieces of the body. */
  body: number;
  /** All hops together, without standing in line. */
  total: number;
  /** Standing in line for the host, at each hop. */
  line: number;
}

export interface Limits {
  /** Of the body, decoded as well as on the way. */
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
