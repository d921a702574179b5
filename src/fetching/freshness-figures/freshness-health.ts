import { z } from 'zod';
import type { Config } from '../../platform/config.js';
import type { Db } from '../../platform/database/database.js';
import type { FeatureHealth } from '../../platform/health/alert-catalogue.js';
import { requestBudget } from '../schedule/request-budget.table.js';
import { delayQuantile, sumOf } from './delay-histogram.js';
import { hoursSince, startOfHour } from './freshness-hours.js';

export const FreshnessStats = z.strictObject({
  medianDelaySeconds: z.number().nullable(),
  p95DelaySeconds: z.number().nullable(),
  fetches: z.int(),
  emptyFetches: z.int(),
  /** How many more fetches there would have been if each active follower had fetched separately. */
  savedFetches: z.int(),
  /** Scheduled fetches of the last hour. First fetches, requested fetches and all but the last attempt do not count. */
  fetchesPerHour: z.int(),
  /** Both are null if nothing limits the fetches. The price is the value that a fetch must have. */
  budgetPerHour: z.int().nullable(),
  price: z.number().nullable(),
});
type FreshnessStats = z.infer<typeof FreshnessStats>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export async function freshnessHealth(
  db: Db,
  { now, policy }: { now: Date; policy: Config['policy'] },
): Promise<FeatureHealth<FreshnessStats>> {
  const hours = await hoursSince(db, startOfHour(new Date(now.getTime() - DAY_MS)));
  const delays = sumOf(hours.map((hour) => hour.delays));
  const stats = {
    medianDelaySeconds: delayQuantile(delays, 0.5),
    p95DelaySeconds: delayQuantile(delays, 0.95),
    fetches: total(hours, 'fetches'),
    emptyFetches: total(hours, 'empty'),
    savedFetches: total(hours, 'saved'),
    fetchesPerHour: Math.round(scheduledLastHour(hours, now)),
    ...(await readBudget(db, policy)),
  };
  return { stats, alerts: [] };
}

async function readBudget(db: Db, policy: Config['policy']): Promise<Pick<FreshnessStats, 'budgetPerHour' | 'price'>> {
  // Other policies have no budget; the row may be left from an earlier configuration.
  if (policy !== 'adaptive') return { budgetPerHour: null, price: null };
  const [row] = await db.select().from(requestBudget);
  return { budgetPerHour: row ? Math.round(row.budgetPerHour) : null, price: row?.price ?? null };
}

interface HourCounts {
  hour: Date;
  fetches: number;
  scheduled: number;
  empty: number;
  saved: number;
}

function total(hours: HourCounts[], what: 'fetches' | 'empty' | 'saved'): number {
  return hours.reduce((sum, hour) => sum + hour[what], 0);
}

/** The previous hour counts with the share that still falls into the last sixty minutes. */
export function scheduledLastHour(hours: Pick<HourCounts, 'hour' | 'scheduled'>[], now: Date): number {
  const start = startOfHour(now).getTime();
  const of = (time: number) => hours.find(({ hour }) => hour.getTime() === time)?.scheduled ?? 0;
  return of(start) + of(start - HOUR_MS) * (1 - (now.getTime() - start) / HOUR_MS);
}
