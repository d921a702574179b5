import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type SQL, sql } from 'drizzle-orm';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database } from '../../platform/database/database.js';
import { jobIs, jobIsDueIn } from '../../platform/jobs/job-columns.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { Clock } from '../../platform/time/clock.js';
import { Periodic } from '../../platform/time/periodic.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import type { FetchCause } from '../run/fetch-jobs.js';
import { SourceCatalogue } from '../source-catalogue.js';
import { tierPriority } from './tier-priority.js';

const INTERVAL_MS = 1_000;
const BATCH = 1_000;
/** Share of one process's fetch slots that slow sources may hold, over all processes together. */
const SLOW_SHARE = 0.5;
/** Maximum number of batches per type and round. The remaining rows stay due for the next round. */
const MAX_BATCHES = 20;

/** Any number of processes may run this at the same time. */
@Injectable()
export class FetchScheduler implements OnApplicationBootstrap {
  private readonly maxSlow: number;

  constructor(
    @Inject(CONFIG) { fetchConcurrency }: Config,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly periodic: Periodic,
    private readonly catalogue: SourceCatalogue,
  ) {
    this.maxSlow = Math.max(1, Math.floor(fetchConcurrency * SLOW_SHARE));
  }

  onApplicationBootstrap() {
    this.periodic.every(INTERVAL_MS, 'fetch scheduler', () => this.run());
  }

  /** Alternates between types, one batch each, so that no type waits until another is done. */
  async run(): Promise<void> {
    let busy = [...this.catalogue.jobs.keys()];
    for (let batch = 0; batch < MAX_BATCHES && busy.length; batch++) {
      const stillBusy: string[] = [];
      for (const type of busy) if ((await this.putDueToWork(type)) === BATCH) stillBusy.push(type);
      busy = stillBusy;
    }
    for (const type of this.catalogue.jobs.keys()) if (!this.isRemote(type)) await this.putSlowToWork(type);
  }

  private putDueToWork(type: string): Promise<number> {
    return this.take(type, { only: this.isRemote(type) ? undefined : sql`NOT slow`, limit: BATCH });
  }

  /** Slow sources hold their slots for long, so only some are enqueued and fast ones do not queue behind them. */
  private async putSlowToWork(type: string): Promise<void> {
    const limit = this.maxSlow - (await this.slowInQueue(type));
    if (limit > 0) await this.take(type, { only: sql`slow`, limit });
  }

  /** Types that remote workers fetch are slow by nature, so the slow limit does not apply to them. */
  private isRemote(type: string): boolean {
    return this.catalogue.find(type)?.remote ?? false;
  }

  private async take(type: string, which: { only: SQL | undefined; limit: number }): Promise<number> {
    const job = this.catalogue.jobs.get(type);
    if (!job) return 0;
    const when = { column: fetchStates.nextFetchAt, now: this.clock.now(), ...which };
    const due = { ...when, priority: tierPriority, cause: 'schedule' satisfies FetchCause };
    const rows = await job.rows.takeDue(this.database.db, due);
    await this.jobs.enqueueRows(job, rows);
    return rows.length;
  }

  /** Counts slow sources in the queue, without postponed ones, which hold no slot. */
  private async slowInQueue(type: string): Promise<number> {
    const { rows } = await this.database.db.execute<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM ${fetchStates}
      WHERE slow AND ${jobIs('waiting')} AND type = ${type} AND ${jobIsDueIn(0)}`);
    return rows[0]?.count ?? 0;
  }
}
