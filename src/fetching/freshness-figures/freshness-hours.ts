import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { gte, lt, sql } from 'drizzle-orm';
import { Database, type Db } from '../../platform/database/database.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { Clock } from '../../platform/time/clock.js';
import { Periodic } from '../../platform/time/periodic.js';
import { addDelay, sumOf } from './delay-histogram.js';
import { freshnessHours } from './freshness-hours.table.js';

type Hour = typeof freshnessHours.$inferSelect;

interface FetchCount {
  broughtNews: boolean;
  isScheduled: boolean;
  activeFollowers: number;
}

const STORE_INTERVAL_MS = 3_000;
const HOUR_MS = 3_600_000;
const KEPT_MS = 30 * 24 * HOUR_MS;

/** A fetch only increments numbers in memory. A process that is killed loses the counts of the last seconds. */
@Injectable()
export class FreshnessHours implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private current = empty(new Date(0));
  private unstored: Hour[] = [];
  private timer: NodeJS.Timeout | undefined;
  private storing: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly periodic: Periodic,
    @Inject(LOG) private readonly log: Log,
  ) {}

  onApplicationBootstrap() {
    this.timer = setInterval(() => void this.store(), STORE_INTERVAL_MS).unref();
    this.periodic.every(HOUR_MS, 'forgetting old hours of fetching', () => this.forget());
  }

  onModuleDestroy() {
    clearInterval(this.timer);
  }

  /** The last fetches have ended before this hook runs. */
  async beforeApplicationShutdown() {
    await this.store();
  }

  asked({ broughtNews, isScheduled, activeFollowers }: FetchCount): void {
    const hour = this.now();
    hour.fetches++;
    if (isScheduled) hour.scheduled++;
    if (!broughtNews) hour.empty++;
    hour.saved += Math.max(0, activeFollowers - 1);
  }

  found(delaySeconds: number): void {
    addDelay(this.now().delays, delaySeconds);
  }

  /** Hours that could not be stored are retried in the next round. */
  store(): Promise<void> {
    this.storing = this.storing.then(() => this.storeAll());
    return this.storing;
  }

  async forget(): Promise<void> {
    const until = new Date(this.clock.now().getTime() - KEPT_MS);
    await this.database.db.delete(freshnessHours).where(lt(freshnessHours.hour, until));
  }

  private now(): Hour {
    const hour = startOfHour(this.clock.now());
    if (this.current.hour.getTime() !== hour.getTime()) {
      if (hasSomething(this.current)) this.unstored.push(this.current);
      this.current = empty(hour);
    }
    return this.current;
  }

  private async storeAll(): Promise<void> {
    const hours = byHour([...this.unstored, this.current].filter(hasSomething));
    this.unstored = [];
    this.current = empty(this.current.hour);
    for (const hour of hours) {
      try {
        await this.add(hour);
      } catch (err) {
        this.unstored.push(hour);
        this.log.debug({ event: 'freshness_hours_store_failed', err }, 'Could not store fetch statistics, retrying');
      }
    }
  }

  private async add(hour: Hour): Promise<void> {
    const { db } = this.database;
    await db
      .insert(freshnessHours)
      .values(hour)
      .onConflictDoUpdate({
        target: freshnessHours.hour,
        set: {
          fetches: sql`${freshnessHours.fetches} + excluded.fetches`,
          scheduled: sql`${freshnessHours.scheduled} + excluded.scheduled`,
          empty: sql`${freshnessHours.empty} + excluded.empty`,
          saved: sql`${freshnessHours.saved} + excluded.saved`,
          delays: sql`ARRAY(SELECT coalesce(a, 0) + coalesce(b, 0)
            FROM unnest(${freshnessHours.delays}, excluded.delays) WITH ORDINALITY AS bucket(a, b, place) ORDER BY place)`,
        },
      });
  }
}

export async function hoursSince(db: Db, from: Date): Promise<Hour[]> {
  return db.select().from(freshnessHours).where(gte(freshnessHours.hour, from)).orderBy(freshnessHours.hour);
}

export const startOfHour = (time: Date) => new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);

function empty(hour: Date): Hour {
  return { hour, fetches: 0, scheduled: 0, empty: 0, saved: 0, delays: [] };
}

function byHour(all: Hour[]): Hour[] {
  const hours = new Map<number, Hour>();
  for (const one of all) {
    const same = hours.get(one.hour.getTime()) ?? empty(one.hour);
    hours.set(one.hour.getTime(), {
      hour: one.hour,
      fetches: same.fetches + one.fetches,
      scheduled: same.scheduled + one.scheduled,
      empty: same.empty + one.empty,
      saved: same.saved + one.saved,
      delays: sumOf([same.delays, one.delays]),
    });
  }
  return [...hours.values()];
}

function hasSomething({ fetches, delays }: Hour): boolean {
  return fetches > 0 || delays.length > 0;
}
