import type { Numbers } from './cost.js';
import { about, table, whole } from './table.js';

/** Assumptions that the page uses besides the measurements. The page lists each of them. */
export const ASSUMED = {
  /** The tier of two to four active followers. */
  intervalMinutes: 60,
  /** The average load that a core or a single thread may have. */
  busy: 0.6,
  coresOfMachine: 8,
  coresOfSmallMachine: 2,
  coresOfLargeServer: 64,
  /** One fetch in ten finds two posts; three in ten transfer a body of 66 kB. */
  newPostsOfFetch: 0.2,
  bodyBytesOfFetch: 0.3 * 66_000,
  walBytesPerSecond: 100_000_000,
} as const;

/** The measured size that the calculations use. */
export const AT = '100000 sources';

/** A resource that limits further growth. */
interface Limit {
  what: string;
  /** The calculation in words and numbers. */
  how: string;
  fetchesPerSecond: number;
}

interface Step {
  name: string;
  limits: Limit[];
}

/** Returns the CPU milliseconds of one fetch in some components together. */
export function fetchMs(of: Numbers, as: string, parts: string[]): number {
  return parts.reduce((sum, part) => sum + of(`fetch ${as} ${part}`), 0);
}

export const MILLRACE = ['scheduler', 'worker', 'api'];
export const EVERYTHING = [...MILLRACE, 'postgres', 'redis'];

export function steps(of: Numbers): Step[] {
  const { coresOfMachine, coresOfSmallMachine, coresOfLargeServer } = ASSUMED;
  const millrace = fetchMs(of, AT, MILLRACE);
  const postgres = fetchMs(of, AT, ['postgres']);
  const servers = (cores: number) => [
    cpuLimit('PostgreSQL', cores, postgres),
    cpuLimit("Redis's one thread", 1, fetchMs(of, AT, ['redis'])),
    walLimit(of(`wal ${AT} at most`)),
  ];
  const one = fetchMs(of, 'one process', ['millrace']);
  return [
    {
      name: 'one process',
      limits: [
        cpuLimit('the machine', coresOfSmallMachine, one + fetchMs(of, 'one process', ['postgres'])),
        cpuLimit("the process's own thread", 1, one),
      ],
    },
    {
      name: 'one machine',
      limits: [
        cpuLimit('the machine', coresOfMachine, fetchMs(of, AT, EVERYTHING)),
        ...servers(coresOfMachine).slice(1),
      ],
    },
    {
      name: 'ten machines',
      limits: [cpuLimit('eight machines of Millrace', 8 * coresOfMachine, millrace), ...servers(coresOfMachine)],
    },
    {
      name: 'a hundred machines',
      limits: [cpuLimit('98 machines of Millrace', 98 * coresOfMachine, millrace), ...servers(coresOfLargeServer)],
    },
  ];
}

function cpuLimit(what: string, cores: number, ms: number): Limit {
  const { busy } = ASSUMED;
  const how = `${cores} ${cores === 1 ? 'core' : 'cores'} × ${busy} ÷ ${ms.toFixed(2)} ms`;
  return { what, how, fetchesPerSecond: (cores * busy * 1_000) / ms };
}

function walLimit(bytes: number): Limit {
  const { walBytesPerSecond, busy } = ASSUMED;
  const how = `${walBytesPerSecond / 1e6} MB/s × ${busy} ÷ ${(bytes / 1_000).toFixed(1)} kB`;
  return { what: "PostgreSQL's log", how, fetchesPerSecond: (walBytesPerSecond * busy) / bytes };
}

export function limitsTable(step: Step): string {
  const first = firstOf(step);
  return table(
    ['limit', 'calculated as', 'fetches a second', 'sources'],
    step.limits.map((limit) => {
      const { what, how, fetchesPerSecond } = limit;
      const cells = [what, how, whole(fetchesPerSecond), about(sourcesAt(fetchesPerSecond))];
      return limit === first ? cells.map((cell) => `**${cell}**`) : cells;
    }),
  );
}

/** Returns how many sources this many fetches per second keep fresh. */
const sourcesAt = (fetchesPerSecond: number) => fetchesPerSecond * ASSUMED.intervalMinutes * 60;

const firstOf = ({ limits }: Step) => limits.toSorted((a, b) => a.fetchesPerSecond - b.fetchesPerSecond)[0];
