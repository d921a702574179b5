import { Inject, Injectable } from '@nestjs/common';
import { and, eq, gt, inArray, isNotNull, isNull, lte, or } from 'drizzle-orm';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database } from '../../platform/database/database.js';
import { jobIsNot } from '../../platform/jobs/job-columns.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { Clock } from '../../platform/time/clock.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { SourceCatalogue } from '../source-catalogue.js';
import { askHubJob } from './ask-hub.job.js';
import { subscriptions } from './subscriptions.table.js';

const BATCH_SIZE = 100;
const URGENT_PRIORITY = 0;

@Injectable()
export class HubJobs {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly catalogue: SourceCatalogue,
  ) {}

  async enqueueRequests(): Promise<void> {
    const due = { column: subscriptions.askAt, now: this.clock.now(), limit: BATCH_SIZE };
    await this.jobs.enqueueRows(askHubJob, await askHubJob.rows.takeDue(this.database.db, due));
  }

  /** A running fetch may have begun before the posts were published, so the source is fetched once more afterwards. */
  async enqueueAnnounced(): Promise<void> {
    const pinged = await this.pinged();
    for (const [type, job] of this.catalogue.jobs) {
      const ofType = pinged.filter((one) => one.type === type).map(({ sourceId }) => sourceId);
      if (!ofType.length) continue;
      const waiting = await this.database.transaction(async (db) => {
        const rows = await job.rows.putToWork(db, ofType, { priority: URGENT_PRIORITY, cause: 'push' });
        const ids = rows.map(({ id }) => id);
        const taken = { pingedAt: null, pingTakenAt: this.clock.now() };
        if (ids.length) await db.update(subscriptions).set(taken).where(inArray(subscriptions.sourceId, ids));
        return rows;
      });
      await this.jobs.enqueueRows(job, waiting);
    }
  }

  /** The hub overrides the source's own interval but not our minimum interval. */
  private async pinged(): Promise<{ sourceId: string; type: string }[]> {
    const now = this.clock.now();
    const allowed = new Date(now.getTime() - this.config.minIntervalMs);
    const { id: sourceId, type, lastFetchAt, notBefore, activeFollowers } = fetchStates;
    return this.database.db
      .select({ sourceId, type })
      .from(subscriptions)
      .innerJoin(fetchStates, eq(sourceId, subscriptions.sourceId))
      .where(
        and(
          isNotNull(subscriptions.pingedAt),
          jobIsNot('waiting', fetchStates),
          gt(activeFollowers, 0),
          or(isNull(lastFetchAt), lte(lastFetchAt, allowed)),
          or(isNull(notBefore), lte(notBefore, now)),
        ),
      )
      .limit(BATCH_SIZE);
  }
}
