import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { Activity } from '../../auth/users/activity.js';
import type { Config } from '../../platform/config.js';
import { CONFIG } from '../../platform/config.token.js';
import { ADVISORY_LOCKS } from '../../platform/database/advisory-locks.js';
import { Database, type Db } from '../../platform/database/database.js';
import { Leadership } from '../../platform/database/leadership.js';
import { Clock } from '../../platform/time/clock.js';
import { Periodic } from '../../platform/time/periodic.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { isLockTimeout } from '../../sources/sql-error.js';
import type { IntervalRules } from '../intervals/interval.js';
import { INTERVAL_RULES } from '../intervals/interval-rules.js';
import { type DemandRow, readDemand, type ScheduledAt, withCounted, writeDemand } from './demand-rows.js';
import { RequestPrices } from './request-prices.js';
import { type WrongCount, wrongCounts } from './wrong-counts.js';

/** While the server reads or writes some, the schedules of others are computed. */
const LANES = 3;
const SOON_MS = 10_000;

/**
 * Ends the activity of silent users and gives every source the number of active followers that it has, with the
 * schedule that follows from it. Follows and returns are counted as they happen, so it mostly finds what silence has
 * changed; whatever else is off is put right, too. What a fetch must be worth follows from all of it.
 */
@Injectable()
export class Recount implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly leadership: Leadership;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'recalcMs'>,
    @Inject(INTERVAL_RULES) private readonly rules: IntervalRules,
    private readonly database: Database,
    private readonly activity: Activity,
    private readonly clock: Clock,
    private readonly periodic: Periodic,
    private readonly prices: RequestPrices,
  ) {
    this.leadership = new Leadership(database.url, ADVISORY_LOCKS.recount);
  }

  onApplicationBootstrap() {
    this.periodic.every(this.config.recalcMs, 'recount', async () => {
      if (await this.leadership.isMine()) await this.run();
    });
    this.periodic.every(Math.min(this.config.recalcMs, SOON_MS), 'prices that cannot wait', async () => {
      if (await this.leadership.isMine()) await this.prices.runIfNeeded();
    });
  }

  /** What others have changed or hold meanwhile is left to the next round. */
  async run(): Promise<void> {
    await this.activity.retireSilent();
    const wrong = wrongCounts(this.database);
    const lane = async () => {
      for await (const some of wrong) await this.putRight(some);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    await this.prices.run();
  }

  async onApplicationShutdown() {
    await this.leadership.stepDown();
  }

  private async putRight(wrong: WrongCount[]): Promise<void> {
    const at = { rules: this.rules, now: this.clock.now() };
    const ids = wrong.map(({ id }) => id);
    await this.write(corrected(wrong, await readDemand(this.database.db, ids), at));
  }

  /** Never waits for a row so long that somebody who waits for one of ours could be kept waiting for ever. */
  private async write(rows: DemandRow[]): Promise<number> {
    try {
      return await this.database.transaction(async (db) => {
        await db.execute(sql`SET LOCAL lock_timeout = '200ms'`);
        return writeDemand(db, rows);
      });
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      return this.database.transaction(async (db) => writeDemand(db, await holdFree(db, rows)));
    }
  }
}

/** Rows as they should be, without those whose followers have changed since they were counted. */
export function corrected(wrong: WrongCount[], rows: DemandRow[], at: ScheduledAt): DemandRow[] {
  const counts = new Map(wrong.map((one) => [one.id, one]));
  return rows.flatMap((row) => {
    const count = counts.get(row.id);
    return count?.demandEpoch === row.demandEpoch ? [withCounted(row, wantedOf(count), at)] : [];
  });
}

const wantedOf = ({ counted, wished }: WrongCount) => ({ activeFollowers: counted, wishSeconds: wished });

/** The rows that nobody else holds, and that are now ours. */
async function holdFree(db: Db, rows: DemandRow[]): Promise<DemandRow[]> {
  const ids = rows.map(({ id }) => id);
  const free = await db
    .select({ id: fetchStates.id })
    .from(fetchStates)
    .where(sql`${fetchStates.id} = ANY(${sql.param(ids)}::bigint[])`)
    .for('no key update', { skipLocked: true });
  const held = new Set(free.map(({ id }) => id));
  return rows.filter(({ id }) => held.has(id));
}
