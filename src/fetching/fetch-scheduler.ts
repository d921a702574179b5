import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { Database } from '../platform/database/database.js';
import { Periodic } from '../platform/periodic.js';
import type { RowJob } from '../platform/queue/job-catalogue.js';
import { Jobs } from '../platform/queue/jobs.js';
import { fetchStates } from '../sources/fetch-states.table.js';
import type { FetchCause, FetchJob } from './fetch-jobs.js';
import { FetchTypes } from './fetch-types.js';
import { tierPriority } from './tier-priority.js';

const EVERY_MS = 1_000;
const BATCH = 1_000;
/** Of each type in a round; the rest is due in the next one. */
const MOST_BATCHES = 20;

/** Puts sources to work whose time has come. Any number of processes may do it at once. */
@Injectable()
export class FetchScheduler implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly periodic: Periodic,
    private readonly types: FetchTypes,
  ) {}

  onApplicationBootstrap() {
    this.periodic.every(EVERY_MS, 'fetch scheduler', () => this.run());
  }

  /** Goes round the types, a batch of each, so that none waits until another has no more. */
  async run(): Promise<void> {
    let busy = [...this.types.jobs.values()];
    for (let batch = 0; batch < MOST_BATCHES && busy.length; batch++) {
      const stillBusy: RowJob<FetchJob>[] = [];
      for (const job of busy) if ((await this.putDueToWork(job)) === BATCH) stillBusy.push(job);
      busy = stillBusy;
    }
  }

  private async putDueToWork(job: RowJob<FetchJob>): Promise<number> {
    const when = { column: fetchStates.nextFetchAt, now: this.clock.now(), limit: BATCH };
    const due = { ...when, priority: tierPriority, cause: 'schedule' satisfies FetchCause };
    const rows = await job.rows.takeDue(this.database.db, due);
    await this.jobs.enqueueRows(job, rows);
    return rows.length;
  }
}
