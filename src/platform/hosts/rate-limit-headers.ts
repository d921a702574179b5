/** What a host tells of its limit in the headers of an answer. */
interface ToldLimit {
  /** Requests a minute. */
  perMinute?: number | undefined;
  /** The time within which it counts them, an hour at most. */
  windowMs?: number | undefined;
  /** It takes nothing more before. */
  closedUntil?: Date | undefined;
}

type Headers = Record<string, string>;

/** In seconds. */
interface Quota {
  limit: number | undefined;
  window: number | undefined;
  remaining: number | undefined;
  reset: number | undefined;
}

const MINUTE = 60;
/** The network moves requests together by so much, which matters to those who count short times. */
const SLACK = 1;
/** Who tells when its time ends, and not how long it is, counts one of these. */
const USUAL_WINDOWS = [60, 300, 900, 3_600, 86_400];
/** Shorter ones say too little about the length. */
const TELLING_RESET = 10;
/** More is about one of its APIs rather than about the whole host, or nonsense. */
const MAX_CLOSING_LENGTH = 3_600;
/** A longer time to count within is taken for this one: a day. */
const MAX_WINDOW = 86_400;
/** More requests a minute are no limit to us. */
const HIGHEST_LIMIT = 1_000_000;
/** A number of seconds is no date before this one. */
const FIRST_DATE = 1_000_000_000;

export function toldLimit(headers: Headers, now: Date): ToldLimit {
  const quota = newestForm(headers, now) ?? oneHeader(headers, now) ?? threeHeaders(headers, now);
  if (quota) return { ...limitOf(quota), closedUntil: closedUntil(quota, now) };
  // Of these nobody knows how long they count, and for whom: only that nothing is left is plain.
  const custom = customHeaders(headers, now);
  return custom?.limit ? { closedUntil: closedUntil(custom, now) } : {};
}

/**
 * `RateLimit: "default";r=50;t=30` with `RateLimit-Policy: "default";q=100;w=60`: of several the one with the least left, or the
 * strictest policy where nobody says what is left.
 */
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

/** `RateLimit: limit=100, remaining=50, reset=30`, perhaps with `RateLimit-Policy: 100;w=60`. */
function oneHeader({ ratelimit, 'ratelimit-policy': policy }: Headers, now: Date): Quota | undefined {
  const field = (name: string) => wholeNumber(new RegExp(`(?:^|[,;\\s])${name}=(\\d+)`).exec(ratelimit ?? '')?.[1]);
  const limit = field('limit');
  if (limit === undefined) return undefined;
  const reset = fromNow(field('reset'), now);
  return { limit, window: windowOf(policy, limit), remaining: field('remaining'), reset };
}

/** `RateLimit-Limit: 100, 100;w=60` (the window may be missing), `RateLimit-Remaining: 50`, `RateLimit-Reset: 30` or a time. */
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

/** `X-RateLimit-…`, whose reset is in seconds, a time in seconds since 1970, or a date. */
function customHeaders(headers: Headers, now: Date): Quota | undefined {
  const value = (name: string) => headers[`x-ratelimit-${name}`] ?? headers[`x-rate-limit-${name}`];
  const remaining = leading(value('remaining'));
  const reset = value('reset');
  if (remaining === undefined) return undefined;
  return { limit: leading(value('limit')), window: undefined, remaining, reset: secondsUntil(reset, now) };
}

/** Of seconds, a time in seconds since 1970, or a date. */
function secondsUntil(reset: string | undefined, now: Date): number | undefined {
  if (!/^\d{4}-\d\d-/.test(reset ?? '')) return fromNow(leading(reset), now);
  const date = Date.parse(reset ?? '');
  return Number.isNaN(date) ? undefined : (date - now.getTime()) / 1_000;
}

/** So many that they are a time since 1970 are made seconds from now. */
function fromNow(seconds: number | undefined, now: Date): number | undefined {
  return seconds !== undefined && seconds >= FIRST_DATE ? seconds - now.getTime() / 1_000 : seconds;
}

const aSecond = ({ limit = 0, window = 1 }: Quota) => limit / window;

function limitOf({ limit, reset, window = guessedWindow(reset) }: Quota): ToldLimit {
  if (!limit || !window) return {};
  const seconds = window < MINUTE ? window + SLACK : Math.min(window, MAX_WINDOW);
  const perMinute = Math.max(1, Math.floor((limit * MINUTE) / seconds));
  if (perMinute > HIGHEST_LIMIT) return {};
  return { perMinute, windowMs: Math.min(seconds, MAX_CLOSING_LENGTH) * 1_000 };
}

function guessedWindow(reset: number | undefined): number | undefined {
  if (reset === undefined || reset < TELLING_RESET) return undefined;
  return USUAL_WINDOWS.find((seconds) => seconds >= reset);
}

function closedUntil({ remaining, reset }: Quota, now: Date): Date | undefined {
  const isClosed = remaining === 0 && reset !== undefined && reset > 0 && reset <= MAX_CLOSING_LENGTH;
  return isClosed ? new Date(now.getTime() + reset * 1_000) : undefined;
}

/** The window of the policy `100;w=60` that is about this limit. */
function windowOf(policies: string | undefined, limit: number): number | undefined {
  const of = (policies ?? '').split(',').map((policy) => /^\s*(\d+)\s*;.*?\bw=(\d+)/.exec(policy));
  return wholeNumber(of.find((match) => Number(match?.[1]) === limit)?.[2]);
}

/** The members of a structured list, `"name";a=1;b=2`, with those parameters that are numbers. */
function members(list: string | undefined): { name: string; of: Map<string, number> }[] {
  return [...(list ?? '').matchAll(/"([^"]*)"((?:\s*;\s*[a-z]+=[^,;]+)*)/g)].map(([, name = '', parameters = '']) => ({
    name,
    of: new Map([...parameters.matchAll(/([a-z]+)=(\d+)/g)].map(([, key = '', value]) => [key, Number(value)])),
  }));
}

const leading = (value: string | undefined) => wholeNumber(/^\s*(\d+)/.exec(value ?? '')?.[1]);
const wholeNumber = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits));
