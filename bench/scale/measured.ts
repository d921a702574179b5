import { type Cost, inDigits, type Numbers } from './cost.js';
import { EVERYTHING } from './limits.js';
import { nameOf, table, whole } from './table.js';

const SIZES = [1_000, 10_000, 100_000];

export function fetchesTable(of: Numbers): string {
  const row = (what: string, name: (size: string) => string, by = 1) => [
    what,
    ...SIZES.map((size) => inDigits(of(name(`${size} sources`)) / by)),
  ];
  return table(
    ['sources', ...SIZES.map(whole)],
    [
      ...EVERYTHING.map((part) => row(`CPU of ${nameOf(part)}, ms`, (size) => `fetch ${size} ${part}`)),
      row('WAL, kB', (size) => `wal ${size}`, 1_000),
      row('WAL right after a checkpoint, kB', (size) => `wal ${size} at most`, 1_000),
      ...EVERYTHING.map((part) => row(`memory of ${nameOf(part)}, MB`, (size) => `memory ${size} ${part}`)),
    ],
  );
}

/** Lists all measurements that are not in the table of fetches. */
export function othersTable(costs: Cost[]): string {
  const shown = costs.filter(({ name }) => !/^(fetch|wal|memory) \d+ sources/.test(name));
  return table(
    ['measurement', 'value'],
    shown.map(({ what, value }) => [what.replace(/^ +/, '… '), value]),
  );
}
