import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { Activity } from '../../auth/users/activity.js';
import { users } from '../../auth/users/users.table.js';
import type { Config } from '../../platform/config.js';
import { CONFIG } from '../../platform/config.js';
import { ADVISORY_LOCKS } from '../../platform/database/advisory-locks.js';
import { Database, type Db } from '../../platform/database/database.js';
import { Leadership } from '../../platform/database/leadership.js';
import { Clock } from '../../platform/time/clock.js';
import { Periodic } from '../../platform/time/periodic.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { follows } from '../../sources/follows.table.js';
import { isLockTimeout } from '../../sources/sql-error.js';
import type { IntervalRules } from '../intervals/interval.js';
import { INTERVAL_RULES } from '../intervals/interval-rules.js';
import { type DemandRow, readDemand, type ScheduledAt, withCounted, writeDemand } from './demand-rows.js';
import { RequestPrices } from './request-prices.js';

/** Few enough to be kept in memory, many enough for one statement each to be worth its while. */
const BATCH_SIZE = 5_000;

/** Written into a table, because only then may PostgreSQL count with all its cores and need we not hold a million rows. */
const COUNT = new PgDialect({ casing: 'snake_case' }).sqlToQuery(sql`
  CREATE TEMPORARY TABLE wrong_counts ON COMMIT DROP AS
  SELECT state.id, demand_epoch, coalesce(counted, 0) AS counted, wished
  FROM ${fetchStates} AS state LEFT JOIN (
    SELECT source_id, count(*)::int AS counted
    FROM ${follows} JOIN ${users} ON ${users.id} = ${follows.userId} AND ${users.active} GROUP BY source_id
  ) AS counts ON counts.source_id = state.id LEFT JOIN (
    SELECT source_id, min(max_delay_minutes) * 60 AS wished
    FROM ${follows} JOIN ${users} ON ${users.id} = ${follows.userId} AND ${users.active}
    WHERE max_delay_minutes IS NOT NULL GROUP BY source_id
  ) AS wishes ON wishes.source_id = state.id
  WHERE moved_to IS NULL AND (active_followers <> coalesce(counted, 0) OR wish_seconds IS DISTINCT FROM wished)`).sql;

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

export interface WrongCount {
  id: string;
  /** As of the count. */
  demandEpoch: number;
  /** How many active followers it really has. */
  counted: number;
  /** The shortest delay that one of them really wishes for, in seconds. */
  wished: number | null;
}

/**
 * The sources that have other active followers than they say, by their number or their shortest wish, in the order of their
 * ids. One statement sees counters and follows as of one moment. A follow that is committed after it raises the row's
 * demandEpoch.
 */
export async function* wrongCounts({ pool }: Pick<Database, 'pool'>): AsyncGenerator<WrongCount[]> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL work_mem = '64MB'`);
    await client.query(COUNT);
    await client.query(
      'DECLARE wrong CURSOR FOR SELECT id, demand_epoch AS "demandEpoch", counted, wished FROM wrong_counts ORDER BY id',
    );
    for (;;) {
      const { rows } = await client.query<WrongCount>(`FETCH ${BATCH_SIZE} FROM wrong`);
      if (!rows.length) break;
      yield rows;
    }
    await client.query('COMMIT');
    broken = false;
  } finally {
    client.release(broken);
  }
}
