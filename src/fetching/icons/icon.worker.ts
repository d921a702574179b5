import { Injectable } from '@nestjs/common';
import { Handles, type JobHandler, type JobRun } from '../../platform/jobs/job-handler.js';
import { RetryLater } from '../../platform/jobs/outcomes.js';
import { Clock } from '../../platform/time/clock.js';
import { isHostsFault } from '../run/fetch-failure.js';
import { type IconJob, iconJob } from './icon.job.js';
import { IconFinder } from './icon-finder.js';
import { IconsStore } from './icons.store.js';

const HOST_BUSY_MS = 60_000;

@Injectable()
@Handles(iconJob)
export class IconWorker implements JobHandler<IconJob> {
  constructor(
    private readonly store: IconsStore,
    private readonly finder: IconFinder,
    private readonly clock: Clock,
  ) {}

  async run({ iconId }: IconJob, run: JobRun) {
    const icon = await this.store.find(iconId);
    if (!icon) return;
    if (!(await this.store.isUsed(icon))) return run.commit((db) => this.store.postpone(db, iconId));
    const found = await this.find(icon.origin, run.signal);
    await run.commit((db) => this.store.record(db, icon, found));
  }

  private async find(origin: string, signal: AbortSignal) {
    try {
      return await this.finder.find(origin, signal);
    } catch (error) {
      if (!isHostsFault(error)) throw error;
      throw new RetryLater(error.until ?? new Date(this.clock.now().getTime() + HOST_BUSY_MS), error.message);
    }
  }
}
