import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database } from '../../platform/database/database.js';
import { type Facts, HealthFacts } from '../../platform/health/health-facts.js';
import type { HealthSections } from '../../platform/health/health-sections.js';
import { Periodic } from '../../platform/time/periodic.js';
import { requestBudget } from '../schedule/request-budget.table.js';
import { delayQuantile, sumOf } from './delay-histogram.js';
import { FreshnessHours, startOfHour } from './freshness-hours.js';

type Stats = HealthSections['freshness'];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Reports how fresh posts are and how many requests that costs. */
@Injectable()
export class FreshnessHealth implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'policy'>,
    private readonly database: Database,
    private readonly hours: FreshnessHours,
    private readonly facts: HealthFacts,
    private readonly periodic: Periodic,
  ) {}

  onModuleInit() {
    this.facts.register('freshness', (now) => this.read(now));
    this.periodic.every(HOUR_MS, 'forgetting old hours of fetching', () => this.hours.forget());
  }

  private async read(now: Date): Promise<Facts<Stats>> {
    const hours = await this.hours.since(startOfHour(new Date(now.getTime() - DAY_MS)));
    const delays = sumOf(hours.map((hour) => hour.delays));
    const stats = {
      medianDelaySeconds: delayQuantile(delays, 0.5),
      p95DelaySeconds: delayQuantile(delays, 0.95),
      fetches: total(hours, 'fetches'),
      emptyFetches: total(hours, 'empty'),
      savedFetches: total(hours, 'saved'),
      fetchesPerHour: Math.round(scheduledLastHour(hours, now)),
      ...(await this.budget()),
    };
    return { stats, alerts: [] };
  }

  private async budget(): Promise<Pick<Stats, 'budgetPerHour' | 'price'>> {
    // Other policies have no budget; the row may be left from an earlier configuration.
    if (this.config.policy !== 'adaptive') return { budgetPerHour: null, price: null };
    const [row] = await this.database.db.select().from(requestBudget);
    return { budgetPerHour: row ? Math.round(row.budgetPerHour) : null, price: row?.price ?? null };
  }
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

/**
 * Scheduled fetches of the last sixty minutes: this hour's, plus the share of the previous hour that still falls into
 * them.
 */
export function scheduledLastHour(hours: Pick<HourCounts, 'hour' | 'scheduled'>[], now: Date): number {
  const start = startOfHour(now).getTime();
  const of = (time: number) => hours.find(({ hour }) => hour.getTime() === time)?.scheduled ?? 0;
  return of(start) + of(start - HOUR_MS) * (1 - (now.getTime() - start) / HOUR_MS);
}
