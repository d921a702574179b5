import type { Fleet } from '../harness/fleet.js';
import { memoryOf, type Usage } from '../harness/usage.js';
import { type Cost, cost } from './cost.js';
import { type Fetches, fetchAll } from './fetches.js';
import { growTo, makePatterns, PATTERNS, type World } from './world.js';

const ITEMS = 50;
/** The number of sources that are fetched in a round, at any size. */
const SAMPLE = 1_000;
const ROUNDS = 2;

export interface Growing {
  fleet: Fleet;
  idle: Usage;
  world: World;
  /** The suffix of the names of costs. */
  as: string;
}

/** Fetches sources for the first time, so that all their items are new. */
export async function firstFetches({ fleet, idle, world, as }: Growing): Promise<Cost[]> {
  await makePatterns(world);
  const used = await fetchAll(fleet, { which: 'true', newPosts: (count) => count * ITEMS, idle });
  return [
    cost(`first fetch ${as}`, total(used) * 1_000, {
      what: `${as}: CPU of a first fetch, ${ITEMS} new items, all parts together`,
      unit: 'ms',
    }),
  ];
}

/** Measures the cost of a fetch in the steady mix, and the memory of all components, at a number of sources. */
export async function steadyFetches(growing: Growing, sources: number): Promise<Cost[]> {
  const { fleet, idle, world, as } = growing;
  const step = Math.max(1, sources / SAMPLE);
  const sample = (id: string) => `${id} > ${PATTERNS} AND ((${id} - 1) / 10) % ${step} = 0`;
  await growTo(world, sources, { withPosts: step === 1 ? 'true' : `n % 10 = 9 AND ${sample('n')}` });
  await fleet.client.query('CHECKPOINT');
  const fetches: Fetches = { which: sample('id'), newPosts: (count) => (count / 10) * 2, idle };
  const rounds: Usage[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await fetchAll(fleet, fetches));
  return [
    ...cpuCosts(as, rounds),
    ...walCosts(as, rounds),
    ...Object.entries(await memoryOf(fleet)).map(([part, megabytes]) =>
      cost(`memory ${as} ${part}`, megabytes, { what: `  memory of ${part}`, unit: 'MB' }),
    ),
  ];
}

function cpuCosts(as: string, rounds: Usage[]): Cost[] {
  const parts = Object.keys(rounds[0]?.cpu ?? {});
  const mean = (part: string) => rounds.reduce((sum, { cpu }) => sum + (cpu[part] ?? 0), 0) / rounds.length;
  return parts.map((part) =>
    cost(`fetch ${as} ${part}`, mean(part) * 1_000, { what: `${as}: CPU of a fetch in ${part}`, unit: 'ms' }),
  );
}

/** PostgreSQL logs the whole page at its first change after a checkpoint, so the first round is separate. */
function walCosts(as: string, [first, ...later]: Usage[]): Cost[] {
  return [
    cost(`wal ${as} at most`, first?.walBytes ?? 0, { what: '  WAL of a fetch, after a checkpoint', unit: 'bytes' }),
    cost(`wal ${as}`, later.at(-1)?.walBytes ?? 0, { what: '  the same, of pages changed before', unit: 'bytes' }),
  ];
}

export const total = ({ cpu }: Usage) => Object.values(cpu).reduce((sum, seconds) => sum + seconds, 0);
