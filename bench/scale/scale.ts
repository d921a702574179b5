import { loadavg } from 'node:os';
import { type Fleet, withFleet } from '../harness/fleet.js';
import { progress } from '../harness/progress.js';
import { withServedFeeds } from '../harness/served-feeds.js';
import type { Usage } from '../harness/usage.js';
import { type Cost, cost } from './cost.js';
import { idleUsage } from './fetches.js';
import { jobCosts } from './jobs.js';
import { writePage } from './page.js';
import { publicationCosts } from './publications.js';
import { requestCosts } from './requests.js';
import { connectionCosts, connectionsOf, sizeCosts } from './sizes.js';
import { firstFetches, type Growing, steadyFetches, total } from './sources.js';
import { PATTERNS } from './world.js';

const SIZES = [1_000, 10_000, 100_000];
const IDLE_SECONDS = 8;
/** The interval of canaries (ms) in the two runs that are compared. The first sends none while it is measured. */
const CANARY_MS = { none: 600_000, many: 500 };
const ROLES = { scheduler: 'scheduler', worker: 'worker', api: 'api' };
const ALL_ROLES = { millrace: 'api,scheduler,worker' };

/**
 * Measures what sources, posts, readers and jobs cost in CPU time, memory and bytes, for each component of a running
 * Millrace. CPU time and bytes are counted, and the usage of an idle system in the same time is subtracted.
 */
export async function run(): Promise<Cost[]> {
  const load = loadavg()[0] ?? 0;
  const costs = [
    cost('load', load, { what: 'load of the machine at the beginning', unit: '' }),
    ...(await withServedFeeds(PATTERNS, fleetCosts)),
    ...(await withServedFeeds(PATTERNS, oneProcessCosts)),
    ...(await jobCosts()),
  ];
  await writePage(costs);
  return costs;
}

/** Measures one process per role, with queues on Redis. */
function fleetCosts(site: string): Promise<Cost[]> {
  progress('one process per role: start and first fetches');
  return withFleet({ queue: 'Redis', processes: ROLES }, async (fleet) => {
    const idle = await idleUsage(fleet, IDLE_SECONDS);
    const world = { client: fleet.client, site };
    const growing = (as: string): Growing => ({ fleet, idle, world, as });
    const costs = [...idleCosts('Redis', idle), ...(await firstFetches(growing('Redis')))];
    const connections = [await connectionsOf(fleet)];
    for (const size of SIZES) {
      progress(`one process per role: ${size} sources`);
      costs.push(...(await steadyFetches(growing(`${size} sources`), size)));
      // Readers of the smallest world have most to read.
      if (size === SIZES[0]) costs.push(...(await requestCosts(fleet, idle)));
      connections.push(await connectionsOf(fleet));
    }
    progress('one process per role: sizes and publications');
    costs.push(...(await sizeCosts(fleet)), ...(await publicationCosts(fleet, idle)));
    return [...costs, ...connectionCosts('Redis', [...connections, await connectionsOf(fleet)])];
  });
}

/**
 * Measures one process as `npm start` runs it, with queues on PostgreSQL, and again with as many canaries as
 * possible.
 */
async function oneProcessCosts(site: string): Promise<Cost[]> {
  const start = <T>(canaryMs: number, work: (fleet: Fleet) => Promise<T>) => {
    const settings = { MILLRACE_CANARY: `${canaryMs}ms` };
    return withFleet({ queue: 'PostgreSQL', processes: ALL_ROLES, settings }, work);
  };
  progress('one process with all roles');
  const { idle, costs } = await start(CANARY_MS.none, async (fleet) => {
    const idle = await idleUsage(fleet, IDLE_SECONDS);
    const growing = { fleet, idle, world: { client: fleet.client, site }, as: 'one process' };
    const costs = [...(await firstFetches(growing)), ...(await steadyFetches(growing, SIZES[0] ?? 0))];
    return { idle, costs: [...costs, ...connectionCosts('PostgreSQL', [await connectionsOf(fleet)])] };
  });
  progress('one process with all roles: canaries');
  const canary = await start(CANARY_MS.many, async (fleet) => canaryCost(fleet, idle));
  return [...idleCosts('PostgreSQL', idle), ...costs, ...canary];
}

async function canaryCost(fleet: Fleet, idle: Usage): Promise<Cost[]> {
  const busy = await idleUsage(fleet, IDLE_SECONDS);
  const { rows } = await fleet.client.query<{ queues: number }>('SELECT count(*)::int AS queues FROM canaries');
  const queues = rows[0]?.queues ?? 0;
  if (!queues) throw new Error('no canaries were sent');
  const perSecond = (queues * 1_000) / CANARY_MS.many;
  return [
    cost('queues', queues, { what: 'queues, each with its canaries', unit: '' }),
    cost('canary', ((total(busy) - total(idle)) / perSecond) * 1_000, {
      what: 'CPU of a canary on PostgreSQL, in all parts',
      unit: 'ms',
    }),
  ];
}

const idleCosts = (queue: string, idle: Usage) =>
  Object.entries(idle.cpu).map(([part, seconds]) =>
    cost(`idle ${queue} ${part}`, seconds * 1_000, {
      what: `queue on ${queue}: CPU of ${part} in an idle second`,
      unit: 'ms',
    }),
  );
