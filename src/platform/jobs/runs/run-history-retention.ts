import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { CONFIG, type Config } from '../../config.js';
import { Database } from '../../database/database.js';
import { Periodic } from '../../time/periodic.js';
import { jobRuns } from './job-runs.table.js';

const INTERVAL_MS = 60_000;
const BATCH = 5_000;
/** Limits a round, so that a stop need not wait until millions of rows are deleted. The next round continues. */
const MAX_BATCHES = 40;

@Injectable()
export class RunHistoryRetention implements OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly periodic: Periodic,
  ) {}

  onApplicationBootstrap() {
    this.periodic.every(INTERVAL_MS, 'old runs', () => this.forget());
  }

  async forget(): Promise<number> {
    let removed = 0;
    let after = '0';
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      const gone = await this.forgetSome(after);
      removed += gone.count;
      if (gone.count < BATCH) break;
      after = gone.last;
    }
    return removed;
  }

  private async forgetSome(after: string): Promise<{ count: number; last: string }> {
    const { rows } = await this.database.db.execute<{ count: number; last: string | null }>(sql`
      WITH oldest AS (SELECT id, started_at FROM ${jobRuns} WHERE id > ${after} ORDER BY id LIMIT ${BATCH}),
        gone AS (
          DELETE FROM ${jobRuns} AS run USING oldest
          WHERE run.id = oldest.id AND oldest.started_at < now() - ${this.config.keepRunsMs} * interval '1 millisecond'
          RETURNING run.id
        )
      SELECT count(*)::int AS count, max(id) AS last FROM gone`);
    return { count: rows[0]?.count ?? 0, last: rows[0]?.last ?? after };
  }
}
