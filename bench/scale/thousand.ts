import { inDigits, type Numbers } from './cost.js';
import { ASSUMED, AT, EVERYTHING, fetchMs } from './limits.js';
import { nameOf, table, whole } from './table.js';

/** Lists the cost of a thousand sources per day. */
export function thousandTable(of: Numbers): string {
  const { intervalMinutes, newPostsOfFetch, bodyBytesOfFetch } = ASSUMED;
  const fetches = (1_000 * 24 * 60) / intervalMinutes;
  const cpu = (what: string, parts: string[]) => {
    const ms = fetchMs(of, AT, parts);
    return [what, `${inDigits(ms)} ms of CPU`, `${inDigits((ms * fetches) / 1_000)} s of CPU`];
  };
  const bytes = (what: string, number: number) => [
    what,
    `${inDigits(number / 1_000)} kB`,
    `${inDigits((number * fetches) / 1e6)} MB`,
  ];
  return table(
    ['component', 'one fetch', `${whole(fetches)} fetches, calculated`],
    [
      ...EVERYTHING.map((part) => cpu(nameOf(part), [part])),
      cpu('**together**', EVERYTHING),
      bytes('WAL, at most', of(`wal ${AT} at most`)),
      ['new posts', String(newPostsOfFetch), whole(newPostsOfFetch * fetches)],
      bytes('database, of new posts', newPostsOfFetch * of('bytes post')),
      bytes('bodies from the network, not compressed', bodyBytesOfFetch),
    ],
  );
}
