export type ExhaustedResource = 'connections_exhausted' | 'disk_full';

const RESOURCES: Readonly<Record<string, ExhaustedResource>> = {
  // PostgreSQL's too_many_connections and disk_full.
  '53300': 'connections_exhausted',
  '53100': 'disk_full',
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
};
/** The driver's message, which has no code, if no connection of the pool became free in time. */
const POOL_TIMEOUT = /^timeout exceeded when trying to connect/;
/** How long a resource is reported after the last error, in milliseconds. */
const REPORTED_MS = 30_000;

export function exhaustedResource(error: unknown): ExhaustedResource | undefined {
  return refusedResource(error) ?? (isPoolTimeout(error) ? 'connections_exhausted' : undefined);
}

function refusedResource(error: unknown): ExhaustedResource | undefined {
  if (error instanceof AggregateError) return error.errors.map(refusedResource).find(Boolean);
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  return RESOURCES[code] ?? refusedResource(error.cause);
}

const isPoolTimeout = (error: unknown): boolean =>
  error instanceof Error && (POOL_TIMEOUT.test(error.message) || isPoolTimeout(error.cause));

const refusedAtMs = new Map<ExhaustedResource, number>();
let poolTimeoutAtMs = -Infinity;

export function noteExhausted(error: unknown): ExhaustedResource | undefined {
  const refused = refusedResource(error);
  if (refused) refusedAtMs.set(refused, performance.now());
  else if (isPoolTimeout(error)) poolTimeoutAtMs = performance.now();
  return refused ?? exhaustedResource(error);
}

export function exhaustedLately({ withPoolTimeouts = true } = {}): ExhaustedResource[] {
  const since = performance.now() - REPORTED_MS;
  const found = new Set([...refusedAtMs].filter(([, atMs]) => atMs >= since).map(([resource]) => resource));
  if (withPoolTimeouts && poolTimeoutAtMs >= since) found.add('connections_exhausted');
  return [...found];
}
