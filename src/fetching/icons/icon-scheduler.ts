import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database } from '../../platform/database/database.js';
import { jobIs } from '../../platform/jobs/job-columns.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { Clock } from '../../platform/time/clock.js';
import { Periodic } from '../../platform/time/periodic.js';
import { siteIcons } from '../../sources/site-icons.table.js';
import { iconJob } from './icon.job.js';
import { IconsStore } from './icons.store.js';

const INTERVAL_MS = 5_000;
const BATCH_SIZE = 500;
/** Icons are never urgent, so only a few minutes of work are in the queue. */
const MAX_WAITING = 200;

@Injectable()
export class IconScheduler implements OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly periodic: Periodic,
    private readonly database: Database,
    private readonly store: IconsStore,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap() {
    if (this.config.icons === 'on') this.periodic.every(INTERVAL_MS, 'icons', () => this.run());
  }

  async run(): Promise<void> {
    await this.store.assignSites(BATCH_SIZE);
    const limit = MAX_WAITING - (await this.waiting());
    if (limit <= 0) return;
    const due = { column: siteIcons.askAt, now: this.clock.now(), limit };
    await this.jobs.enqueueRows(iconJob, await iconJob.rows.takeDue(this.database.db, due));
  }

  private async waiting(): Promise<number> {
    const { rows } = await this.database.db.execute<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM ${siteIcons} WHERE ${jobIs('waiting')}`);
    return rows[0]?.count ?? 0;
  }
}
