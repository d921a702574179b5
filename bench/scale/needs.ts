import { inDigits, type Numbers } from './cost.js';
import { ASSUMED, AT, fetchMs, MILLRACE } from './limits.js';
import { table, whole } from './table.js';

const SOURCES = [1_000, 10_000, 100_000, 1_000_000];
const DAY = 86_400;

/** Returns what a number of sources needs at the assumed interval; bytes are in gigabytes. */
export function needsOf(of: Numbers, sources: number) {
  const { intervalMinutes, busy, newPostsOfFetch } = ASSUMED;
  const fetchesPerSecond = sources / (intervalMinutes * 60);
  const cores = (parts: string[]) => (fetchesPerSecond * fetchMs(of, AT, parts)) / 1_000;
  const workers = Math.ceil(cores(['worker']) / busy);
  const memory = (part: string) => of(`memory ${AT} ${part}`) / 1_000;
  return {
    fetchesPerSecond,
    millraceCores: cores(MILLRACE) / busy,
    postgresCores: cores(['postgres']) / busy,
    /** The share of Redis's single thread. */
    redisShare: cores(['redis']),
    workers,
    millraceMemory: workers * memory('worker') + memory('scheduler') + memory('api'),
    // The rows that every fetch reads and writes should stay in memory.
    postgresMemory: memory('postgres') + (sources * of('bytes source')) / 1e9,
    diskPerMonth: (fetchesPerSecond * DAY * 30 * newPostsOfFetch * of('bytes post')) / 1e9,
    walPerDay: (fetchesPerSecond * DAY * of(`wal ${AT} at most`)) / 1e9,
  };
}

export function needsTable(of: Numbers): string {
  const head = ['sources', 'fetches a second', 'cores for Millrace', 'cores for PostgreSQL', "Redis's thread"];
  return table(
    [...head, 'worker processes', 'memory for Millrace', 'memory for PostgreSQL', 'disk a month', 'WAL a day'],
    SOURCES.map((sources) => {
      const needs = needsOf(of, sources);
      return [
        whole(sources),
        inDigits(needs.fetchesPerSecond),
        inDigits(needs.millraceCores),
        inDigits(needs.postgresCores),
        `${inDigits(needs.redisShare * 100)} %`,
        String(needs.workers),
        `${inDigits(needs.millraceMemory)} GB`,
        `${inDigits(needs.postgresMemory)} GB`,
        `${inDigits(needs.diskPerMonth)} GB`,
        `${inDigits(needs.walPerDay)} GB`,
      ];
    }),
  );
}
