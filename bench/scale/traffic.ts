import { inDigits, type Numbers } from './cost.js';
import { ASSUMED } from './limits.js';
import { about, table } from './table.js';

const DAY = 86_400;
const CANARY_SECONDS = 10;
const SCRAPE_SECONDS = 15;

const perSecond = (ms: number) => (ASSUMED.busy * 1_000) / ms;

/** Lists pages read and posts published per process, and per core of the servers behind it. */
export function readersTable(of: Numbers): string {
  const row = (what: string, process: number, servers: number) => {
    const [mine, theirs] = [perSecond(process), perSecond(servers)];
    const day = about(Math.min(mine, theirs) * DAY);
    return [what, `${inDigits(process)} ms`, `${inDigits(servers)} ms`, about(mine), about(theirs), day];
  };
  return table(
    [
      'work',
      'CPU of the process',
      'CPU of the others',
      'per second, by one process',
      'per second, by one core of the others',
      'per day, by both',
    ],
    [
      row('page of a timeline, cached', of('read cached api'), of('read cached servers')),
      row('page of a timeline, not cached', of('read api'), of('read servers')),
      row('publication', of('publication worker'), of('publication others')),
    ],
  );
}

/** Lists the cost of monitoring. */
export function watchingTable(of: Numbers): string {
  const row = (what: string, ms: number, count: number) => [
    what,
    `${inDigits(ms)} ms`,
    about(count),
    `${inDigits((ms * count) / 1_000)} s`,
  ];
  return table(
    ['check', 'CPU of one', 'per day', 'CPU per day, calculated'],
    [
      row(
        `canaries through ${of('queues')} queues, each every ${CANARY_SECONDS} s`,
        of('canary'),
        (of('queues') * DAY) / CANARY_SECONDS,
      ),
      row(
        `a scrape of /metrics every ${SCRAPE_SECONDS} s, for each process of the API`,
        of('scrape api') + of('scrape servers'),
        DAY / SCRAPE_SECONDS,
      ),
    ],
  );
}
