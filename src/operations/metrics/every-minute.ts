import { MINUTE_MS, startOfMinute } from './job-minutes.store.js';

interface AtMinute {
  at: Date | string;
}

/** The last minutes up to `now`, oldest first, each as it was found or else as `empty` says. */
export function everyMinute<Row extends AtMinute, Empty>(
  rows: Row[],
  { now, minutes, empty }: { now: Date; minutes: number; empty: Empty },
) {
  const found = new Map(rows.map((row) => [new Date(row.at).getTime(), row]));
  const last = startOfMinute(now).getTime();
  return Array.from({ length: minutes }, (_, place) => {
    const at = last - (minutes - 1 - place) * MINUTE_MS;
    return { ...empty, ...found.get(at), at: new Date(at).toISOString() };
  });
}
