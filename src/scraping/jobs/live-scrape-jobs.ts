import { Inject, Injectable } from '@nestjs/common';
import { LiveViews } from '../../platform/api/live-views.js';
import { Events } from '../../platform/events/events.js';
import type { Log } from '../../platform/log/log.js';
import { LOG } from '../../platform/log/log.js';
import { scrapeJobChanged } from './scrape-job-changed.event.js';
import { toScrapeJobView } from './scrape-job-view.js';
import { ScrapeJobsStore } from './scrape-jobs.store.js';
import { isEnded } from './scrape-jobs.table.js';

/** Tells watchers how a job gets on, until it has ended. */
@Injectable()
export class LiveScrapeJobs extends LiveViews<{ scrapeJobId: string }> {
  constructor(
    events: Events,
    private readonly jobs: ScrapeJobsStore,
    @Inject(LOG) log: Log,
  ) {
    const idOf = ({ scrapeJobId }: { scrapeJobId: string }) => scrapeJobId;
    super({ name: 'job', plural: 'jobs', changed: scrapeJobChanged, idOf }, events, log);
  }

  protected async show(id: string) {
    const job = await this.jobs.load(id);
    return job && { view: toScrapeJobView(job), ended: isEnded(job.status) };
  }
}
