import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../../test/program/api-client.js';
import type { Fleet } from '../harness/fleet.js';
import { between, each, type Usage, usageOf } from '../harness/usage.js';
import { type Cost, cost } from './cost.js';
import { total } from './sources.js';

const READS = 1_000;
const SCRAPES = 6;
/** The pause (ms) exceeds the cache time of metrics, so that each scrape computes them again. */
const SCRAPE_PAUSE_MS = 2_100;
const CONCURRENCY = 10;
const READERS = 20;

/** Measures the cost of requests: pages of a timeline, and a scrape of the metrics. */
export async function requestCosts(fleet: Fleet, idle: Usage): Promise<Cost[]> {
  // Otherwise the first page of each reader would trigger fetches of their sources.
  await fleet.client.query('UPDATE fetch_states SET last_fetch_at = now()');
  const second = await nextPages(fleet);
  const requested = async (path: (n: number) => string, count: number) =>
    each(await during(fleet, idle, () => requestAll(fleet, path, count)), count);
  const cached = await requested(() => '/api/v1/feed', READS);
  const uncached = await requested((n) => `/api/v1/feed?cursor=${second[n % READERS]}`, READS);
  const scrape = each(await during(fleet, idle, () => scrapes(fleet)), SCRAPES);
  return [
    ...requestCost('read cached', 'CPU of a page of a timeline, cached', cached),
    ...requestCost('read', 'CPU of a page of a timeline, not cached', uncached),
    ...requestCost('scrape', 'CPU of a scrape of /metrics', scrape),
    cost('scrape bytes', (await answerTo(fleet, 0, '/metrics')).length, { what: '  its size', unit: 'bytes' }),
  ];
}

function requestCost(name: string, what: string, used: Usage): Cost[] {
  const api = used.cpu.api ?? 0;
  return [
    cost(`${name} api`, api * 1_000, { what: `${what}, in api`, unit: 'ms' }),
    cost(`${name} servers`, (total(used) - api) * 1_000, { what: '  in PostgreSQL and Redis', unit: 'ms' }),
  ];
}

async function during(fleet: Fleet, idle: Usage, work: () => Promise<unknown>): Promise<Usage> {
  const before = await usageOf(fleet);
  await work();
  return between(before, await usageOf(fleet), idle);
}

/** Returns cursors to the second page of each reader. */
async function nextPages(fleet: Fleet): Promise<string[]> {
  const cursors: string[] = [];
  for (let reader = 0; reader < READERS; reader++) {
    const { nextCursor } = JSON.parse(await answerTo(fleet, reader, '/api/v1/feed')) as { nextCursor: string | null };
    if (!nextCursor) throw new Error(`reader ${reader + 1} has less than a page to read`);
    cursors.push(nextCursor);
  }
  return cursors;
}

async function requestAll(fleet: Fleet, path: (n: number) => string, count: number): Promise<void> {
  let next = 0;
  const one = async () => {
    for (let n = next++; n < count; n = next++) await answerTo(fleet, n, path(n));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, one));
}

async function scrapes(fleet: Fleet): Promise<void> {
  for (let n = 0; n < SCRAPES; n++) {
    await sleep(SCRAPE_PAUSE_MS);
    await answerTo(fleet, n, '/metrics');
  }
}

async function answerTo({ addresses, key }: Fleet, reader: number, path: string): Promise<string> {
  const forReader = path.startsWith('/api/') && { user: `reader-${1 + (reader % READERS)}` };
  const answer = await ask(`${addresses.api}${path}`, { key, ...forReader });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${text}`);
  return text;
}
