import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { Activity } from '../../auth/users/activity.js';
import { users } from '../../auth/users/users.table.js';
import { Database, type Db } from '../../platform/database/database.js';
import { Clock } from '../../platform/time/clock.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { follows } from '../../sources/follows.table.js';
import { isLockTimeout } from '../../sources/sql-error.js';
import type { IntervalRules } from '../intervals/interval.js';
import { INTERVAL_RULES } from '../intervals/interval-rules.js';
import { type DemandRow, readDemand, type ScheduledAt, withCounted, writeDemand } from './demand-rows.js';
import { subtractLostFollowers } from './lost-followers.js';
import { lostFollowers } from './lost-followers.table.js';
import { RequestPrices } from './request-prices.js';

/** Rows per statement: few enough to hold in memory, and enough to make each statement worthwhile. */
const BATCH_SIZE = 5_000;

/**
 * Uses a temporary table, because PostgreSQL parallelises only that and a million rows would fill the memory. Followers who
 * were lost are expected in the count until they are subtracted.
 */
const COUNT = new PgDialect({ casing: 'snake_case' }).sqlToQuery(sql`
  CREATE TEMPORARY TABLE wrong_counts ON COMMIT DROP AS
  SELECT id, demand_epoch, expected AS counted, max_delay FROM (
    SELECT state.id, demand_epoch, active_followers, wish_seconds, moved_to, max_delay,
      coalesce(counted, 0) + coalesce(lost.followers, 0) AS expected
    FROM ${fetchStates} AS state LEFT JOIN ${lostFollowers} AS lost ON lost.source_id = state.id
    LEFT JOIN (
      SELECT source_id, count(*)::int AS counted
      FROM ${follows} JOIN ${users} ON ${users.id} = ${follows.userId} AND ${users.active} GROUP BY source_id
    ) AS counts ON counts.source_id = state.id
    LEFT JOIN (
      SELECT source_id, min(max_delay_minutes) * 60 AS max_delay
      FROM ${follows} JOIN ${users} ON ${users.id} = ${follows.userId} AND ${users.active}
      WHERE max_delay_minutes IS NOT NULL GROUP BY source_id
    ) AS delays ON delays.source_id = state.id
  ) AS state
  WHERE moved_to IS NULL AND (active_followers <> expected OR wish_seconds IS DISTINCT FROM max_delay)`).sql;

/** Batches in progress at the same time: schedules are computed while the server reads or writes other batches. */
const LANES = 3;

/** Time between two full counts, in case that a process of an older version or a move of followers left a count wrong. */
const FULL_INTERVAL_MS = 3_600_000;

/** Every change of a count is stored in the transaction of its cause. A full count is the safety net. */
@Injectable()
export class Recount {
  private countedAt: Date | undefined;

  constructor(
    private readonly database: Database,
    @Inject(INTERVAL_RULES) private readonly rules: IntervalRules,
    private readonly activity: Activity,
    private readonly clock: Clock,
    private readonly prices: RequestPrices,
  ) {}

  async run(): Promise<void> {
    await this.activity.retireSilent();
    await subtractLostFollowers(this.database);
    const now = this.clock.now();
    const isDue = !this.countedAt || now.getTime() - this.countedAt.getTime() >= FULL_INTERVAL_MS;
    if (isDue && (await this.countAll())) this.countedAt = now;
    await this.prices.run();
  }

  /** Returns false if rows were changed or locked by others meanwhile. They are left to the next round. */
  private async countAll(): Promise<boolean> {
    const wrong = wrongCounts(this.database);
    let left = 0;
    const lane = async () => {
      for await (const some of wrong) left += some.length - (await this.correct(some));
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return left === 0;
  }

  private async correct(wrong: WrongCount[]): Promise<number> {
    const at = { rules: this.rules, now: this.clock.now() };
    const ids = wrong.map(({ id }) => id);
    return this.write(corrected(wrong, await readDemand(this.database.db, ids), at));
  }

  /** Waits at most 200 ms for row locks, to avoid a deadlock with a transaction that waits for one of its rows. */
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

export function corrected(wrong: WrongCount[], rows: DemandRow[], at: ScheduledAt): DemandRow[] {
  const counts = new Map(wrong.map((one) => [one.id, one]));
  return rows.flatMap((row) => {
    const count = counts.get(row.id);
    return count?.demandEpoch === row.demandEpoch ? [withCounted(row, toDemand(count), at)] : [];
  });
}

const toDemand = ({ counted, maxDelaySeconds }: WrongCount) => ({ activeFollowers: counted, maxDelaySeconds });

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
  demandEpoch: number;
  counted: number;
  maxDelaySeconds: number | null;
}

/** One statement reads counters and follows, so both are from one moment. Later follows increment `demandEpoch`. */
export async function* wrongCounts({ pool }: Pick<Database, 'pool'>): AsyncGenerator<WrongCount[]> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL work_mem = '64MB'`);
    await client.query(COUNT);
    await client.query(
      'DECLARE wrong CURSOR FOR SELECT id, demand_epoch AS "demandEpoch", counted, max_delay AS "maxDelaySeconds" FROM wrong_counts ORDER BY id',
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
