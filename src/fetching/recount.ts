import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { Activity } from '../auth/activity.js';
import { Clock } from '../platform/clock.js';
import type { Config } from '../platform/config.js';
import { CONFIG } from '../platform/config.token.js';
import { ADVISORY_LOCKS } from '../platform/database/advisory-locks.js';
import { Database, type Db } from '../platform/database/database.js';
import { Leadership } from '../platform/database/leadership.js';
import { Periodic } from '../platform/periodic.js';
import { fetchStates } from '../sources/fetch-states.table.js';
import { type DemandRow, withFollowers, writeDemand } from './demand-rows.js';
import type { IntervalRules } from './intervals/interval.js';
import { INTERVAL_RULES } from './intervals/interval-rules.js';
import { type SourceRange, wrongCounts } from './wrong-counts.js';

/** Sources that one statement counts: soon enough done to hold up no vacuum, few enough to be kept in memory. */
const RANGE = 25_000;
/** Ranges worked on at the same time: while the server counts one, the other's schedules are computed. */
const LANES = 2;
const WRITTEN_AT_ONCE = 5_000;
/** What others have changed or held meanwhile is counted anew, so often. The next round sees to the rest. */
const MOST_TRIES = 3;

/**
 * Ends the activity of silent users and gives every source the number of active followers that it has, with the
 * schedule that follows from it. Follows and returns are counted as they happen, so it mostly finds what silence has
 * changed; whatever else is off is put right, too.
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
  ) {
    this.leadership = new Leadership(database.url, ADVISORY_LOCKS.recount);
  }

  onApplicationBootstrap() {
    this.periodic.every(this.config.recalcMs, 'recount', async () => {
      if (await this.leadership.isMine()) await this.run();
    });
  }

  async run(): Promise<void> {
    await this.activity.retireSilent();
    const ranges = this.ranges();
    const lane = async () => {
      for await (const range of ranges) await this.putRight(range);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }

  async onApplicationShutdown() {
    await this.leadership.stepDown();
  }

  private async *ranges(): AsyncGenerator<SourceRange> {
    let last = '0';
    for (;;) {
      const { rows } = await this.database.db.execute<{ first: string | null; last: string | null }>(sql`
        SELECT min(id) AS first, max(id) AS last
        FROM (SELECT id FROM ${fetchStates} WHERE id > ${last} ORDER BY id LIMIT ${RANGE}) AS range`);
      const range = rows[0];
      if (!range?.first || !range.last) return;
      yield { first: range.first, last: range.last };
      last = range.last;
    }
  }

  private async putRight(range: SourceRange): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const wrong = await wrongCounts(this.database.db, range);
      const at = { rules: this.rules, now: this.clock.now() };
      let written = 0;
      for (let from = 0; from < wrong.length; from += WRITTEN_AT_ONCE) {
        const some = wrong.slice(from, from + WRITTEN_AT_ONCE);
        written += await this.write(some.map(({ counted, row }) => withFollowers(row, counted, at)));
      }
      if (written === wrong.length) return;
    }
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

const isLockTimeout = (error: unknown) =>
  error instanceof Error && (error.cause as { code?: string } | undefined)?.code === '55P03';
