interface AnnouncedLimit {
  perMinute?: number | undefined;
  /** The window in which the host counts requests, an hour at most. */
  windowMs?: number | undefined;
  closedUntil?: Date | undefined;
}

type Headers = Record<string, string>;

/** All times are in seconds. */
interface Quota {
  limit: number | undefined;
  window: number | undefined;
  remaining: number | undefined;
  reset: number | undefined;
}

const MINUTE = 60;
/** Seconds added to windows shorter than a minute, because the network moves requests closer together. */
const SLACK = 1;
/** A host that announces only when its window ends is assumed to use one of these lengths, in seconds. */
const USUAL_WINDOWS = [60, 300, 900, 3_600, 86_400];
/** A reset sooner than this, in seconds, says too little about the length of the window. */
const MIN_RESET = 10;
/** A longer closing, in seconds, concerns one API of the host rather than the whole host, or is wrong. */
const MAX_CLOSING_LENGTH = 3_600;
const MAX_WINDOW = 86_400;
const MAX_LIMIT = 1_000_000;
/** A number of seconds from here on is a Unix time, below it a duration. */
const FIRST_DATE = 1_000_000_000;

export function announcedLimit(headers: Headers, now: Date): AnnouncedLimit {
  const quota = newestForm(headers, now) ?? oneHeader(headers, now) ?? threeHeaders(headers, now);
  if (quota) return { ...limitOf(quota), closedUntil: closedUntil(quota, now) };
  // Window and scope of these headers are not standardised, so only "nothing left" is used.
  const custom = customHeaders(headers, now);
  return custom?.limit ? { closedUntil: closedUntil(custom, now) } : {};
}

/** `RateLimit: "default";r=50;t=30`, `RateLimit-Policy: "default";q=100;w=60`. The one with the least left counts. */
function newestForm(headers: Headers, now: Date): Quota | undefined {
  const policies = new Map(members(headers['ratelimit-policy']).map(({ name, of }) => [name, of]));
  const states = members(headers.ratelimit).filter(({ of }) => of.has('r'));
  const quotas = states.map(({ name, of }) => {
    const policy = policies.get(name);
    return {
      limit: policy?.get('q'),
      window: policy?.get('w'),
      remaining: of.get('r'),
      reset: fromNow(of.get('t'), now),
    };
  });
  if (quotas.length) return quotas.toSorted((a, b) => (a.remaining ?? 0) - (b.remaining ?? 0))[0];
  return [...policies.values()]
    .map((of) => ({ limit: of.get('q'), window: of.get('w'), remaining: undefined, reset: undefined }))
    .filter(({ limit, window }) => limit && window)
    .toSorted((a, b) => aSecond(a) - aSecond(b))[0];
}

/** Reads `RateLimit: limit=100, remaining=50, reset=30`, optionally with `RateLimit-Policy: 100;w=60`. */
function oneHeader({ ratelimit, 'ratelimit-policy': policy }: Headers, now: Date): Quota | undefined {
  const field = (name: string) => wholeNumber(new RegExp(`(?:^|[,;\\s])${name}=(\\d+)`).exec(ratelimit ?? '')?.[1]);
  const limit = field('limit');
  if (limit === undefined) return undefined;
  const reset = fromNow(field('reset'), now);
  return { limit, window: windowOf(policy, limit), remaining: field('remaining'), reset };
}

/** `RateLimit-Limit: 100, 100;w=60` (the window may be missing), `RateLimit-Remaining: 50`, `RateLimit-Reset: 30`. */
function threeHeaders(headers: Headers, now: Date): Quota | undefined {
  const limit = leading(headers['ratelimit-limit']);
  if (limit === undefined) return undefined;
  const window = windowOf(headers['ratelimit-limit'], limit) ?? windowOf(headers['ratelimit-policy'], limit);
  return {
    limit,
    window,
    remaining: leading(headers['ratelimit-remaining']),
    reset: secondsUntil(headers['ratelimit-reset'], now),
  };
}

/** Reads `X-RateLimit-…`. The reset is a number of seconds, a Unix time, or a date. */
function customHeaders(headers: Headers, now: Date): Quota | undefined {
  const value = (name: string) => headers[`x-ratelimit-${name}`] ?? headers[`x-rate-limit-${name}`];
  const remaining = leading(value('remaining'));
  const reset = value('reset');
  if (remaining === undefined) return undefined;
  return { limit: leading(value('limit')), window: undefined, remaining, reset: secondsUntil(reset, now) };
}

function secondsUntil(reset: string | undefined, now: Date): number | undefined {
  if (!/^\d{4}-\d\d-/.test(reset ?? '')) return fromNow(leading(reset), now);
  const date = Date.parse(reset ?? '');
  return Number.isNaN(date) ? undefined : (date - now.getTime()) / 1_000;
}

function fromNow(seconds: number | undefined, now: Date): number | undefined {
  return seconds !== undefined && seconds >= FIRST_DATE ? seconds - now.getTime() / 1_000 : seconds;
}

const aSecond = ({ limit = 0, window = 1 }: Quota) => limit / window;

function limitOf({ limit, reset, window = guessedWindow(reset) }: Quota): AnnouncedLimit {
  if (!limit || !window) return {};
  const seconds = window < MINUTE ? window + SLACK : Math.min(window, MAX_WINDOW);
  const perMinute = Math.max(1, Math.floor((limit * MINUTE) / seconds));
  if (perMinute > MAX_LIMIT) return {};
  return { perMinute, windowMs: Math.min(seconds, MAX_CLOSING_LENGTH) * 1_000 };
}

function guessedWindow(reset: number | undefined): number | undefined {
  if (reset === undefined || reset < MIN_RESET) return undefined;
  return USUAL_WINDOWS.find((seconds) => seconds >= reset);
}

function closedUntil({ remaining, reset }: Quota, now: Date): Date | undefined {
  const isClosed = remaining === 0 && reset !== undefined && reset > 0 && reset <= MAX_CLOSING_LENGTH;
  return isClosed ? new Date(now.getTime() + reset * 1_000) : undefined;
}

function windowOf(policies: string | undefined, limit: number): number | undefined {
  const of = (policies ?? '').split(',').map((policy) => /^\s*(\d+)\s*;.*?\bw=(\d+)/.exec(policy));
  return wholeNumber(of.find((match) => Number(match?.[1]) === limit)?.[2]);
}

function members(list: string | undefined): { name: string; of: Map<string, number> }[] {
  return [...(list ?? '').matchAll(/"([^"]*)"((?:\s*;\s*[a-z]+=[^,;]+)*)/g)].map(([, name = '', parameters = '']) => ({
    name,
    of: new Map([...parameters.matchAll(/([a-z]+)=(\d+)/g)].map(([, key = '', value]) => [key, Number(value)])),
  }));
}

const leading = (value: string | undefined) => wholeNumber(/^\s*(\d+)/.exec(value ?? '')?.[1]);
const wholeNumber = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits));
