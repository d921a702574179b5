import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { Database } from '../database/database.js';
import { Periodic } from '../time/periodic.js';
import type { RowJob } from './job-catalogue.js';
import { JobHandlers } from './job-handler.js';
import { Jobs } from './jobs.js';

const BATCH = 1_000;
/** Limits a round, because rows that are queued already cost an `add` that BullMQ ignores. */
const MAX_BATCHES = 20;

/** The queue may lose rows in a crash, a flush or a restore. Job ids are deterministic, so no job is added twice. */
@Injectable()
export class Sweep implements OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly handlers: JobHandlers,
    private readonly jobs: Jobs,
    private readonly periodic: Periodic,
  ) {}

  onApplicationBootstrap() {
    this.periodic.every(this.config.sweepMs, 'sweep', () => this.run());
  }

  async run(): Promise<void> {
    for (const [job] of this.handlers.all()) if (job.rows) await this.sweep({ ...job, rows: job.rows });
  }

  private async sweep(job: RowJob): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      const rows = await job.rows.takeForSweep(this.database.db, this.config.sweepMs, BATCH);
      await this.jobs.enqueueMissing(job, rows);
      if (rows.length < BATCH) return;
    }
  }
}
