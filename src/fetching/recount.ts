import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { and, between, count, eq, ne, sql } from 'drizzle-orm';
import { Activity } from '../auth/activity.js';
import { users } from '../auth/users.table.js';
import { Clock } from '../platform/clock.js';
import type { Config } from '../platform/config.js';
import { CONFIG } from '../platform/config.token.js';
import { Database } from '../platform/database/database.js';
import { Leadership } from '../platform/database/leadership.js';
import { Periodic } from '../platform/periodic.js';
import { fetchStates } from '../sources/fetch-states.table.js';
import { follows } from '../sources/follows.table.js';
import { DEMAND_COLUMNS, type DemandRow, withFollowers, writeDemand } from './demand-rows.js';
import type { IntervalRules } from './intervals/interval.js';
import { INTERVAL_RULES } from './intervals/interval-rules.js';

const RECOUNT_LOCK = 7_246_312;
/** Sources that one statement counts: short enough to hold up no vacuum, few enough to be kept in memory. */
const RANGE = 50_000;
const WRITTEN_AT_ONCE = 5_000;
/** Rows that were changed by somebody else meanwhile are counted anew, so often. The next round sees to the rest. */
const MOST_TRIES = 5;

interface Range {
  from: string;
  to: string;
}

type CountedRow = DemandRow & { counted: number };

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
    this.leadership = new Leadership(database.url, RECOUNT_LOCK);
  }

  onApplicationBootstrap() {
    this.periodic.every(this.config.recalcMs, 'recount', async () => {
      if (await this.leadership.isMine()) await this.run();
    });
  }

  async run(): Promise<void> {
    await this.activity.retireSilent();
    for (let range = await this.rangeAfter('0'); range; range = await this.rangeAfter(range.to)) {
      for (let tries = 0; tries < MOST_TRIES; tries++) if (await this.recount(range)) break;
    }
  }

  async onApplicationShutdown() {
    await this.leadership.stepDown();
  }

  private async rangeAfter(last: string): Promise<Range | undefined> {
    const { rows } = await this.database.db.execute<{ from: string | null; to: string | null }>(sql`
      SELECT min(id) AS from, max(id) AS to
      FROM (SELECT id FROM ${fetchStates} WHERE id > ${last} ORDER BY id LIMIT ${RANGE}) AS next_ones`);
    const { from, to } = rows[0] ?? {};
    return from && to ? { from, to } : undefined;
  }

  /** False if some rows could not be put right. */
  private async recount(range: Range): Promise<boolean> {
    const at = { rules: this.rules, now: this.clock.now() };
    const wrong = await this.wrongRows(range);
    let written = 0;
    for (let from = 0; from < wrong.length; from += WRITTEN_AT_ONCE) {
      const some = wrong.slice(from, from + WRITTEN_AT_ONCE);
      written += await writeDemand(
        this.database.db,
        some.map(({ counted, ...row }) => withFollowers(row, counted, at)),
      );
    }
    return written === wrong.length;
  }

  /**
   * One statement sees counters and follows as of one moment. A follow that is committed after it raises the row's
   * demandEpoch, which `writeDemand` then finds changed: it is not undone.
   */
  private wrongRows({ from, to }: Range): Promise<CountedRow[]> {
    const { db } = this.database;
    const counts = db
      .select({ sourceId: follows.sourceId, active: count().as('active') })
      .from(follows)
      .innerJoin(users, and(eq(users.id, follows.userId), users.active))
      .where(between(follows.sourceId, from, to))
      .groupBy(follows.sourceId)
      .as('counts');
    const counted = sql<number>`coalesce(${counts.active}, 0)::int`;
    return db
      .select({ ...DEMAND_COLUMNS, counted })
      .from(fetchStates)
      .leftJoin(counts, eq(counts.sourceId, fetchStates.id))
      .where(and(between(fetchStates.id, from, to), ne(fetchStates.activeFollowers, counted)));
  }
}
