import { Injectable } from '@nestjs/common';
import { Events } from '../../platform/events/events.js';
import { LiveHub, MAX_STREAMS_PER_USER, userLimit } from '../../platform/live/live-hub.js';
import { LiveView } from '../../platform/live/live-view.js';
import { scrapeJobChanged } from './scrape-jobs.events.js';
import { ScrapeJobs } from './scrape-jobs.js';
import { ScrapeJobsStore } from './scrape-jobs.store.js';
import { isEnded } from './scrape-jobs.table.js';

/** The topic is the job's id. */
@Injectable()
export class LiveScrapeJobs extends LiveView {
  constructor(hub: LiveHub, events: Events, store: ScrapeJobsStore, jobs: ScrapeJobs) {
    super(hub, events, {
      name: 'job',
      limit: userLimit(`You may watch ${MAX_STREAMS_PER_USER} jobs at a time.`),
      async load(id) {
        const job = await store.load(id);
        if (!job) return { events: [], ended: true };
        return { events: [{ event: 'job', data: jobs.view(job) }], ended: isEnded(job.status) };
      },
    });
    events.subscribe(scrapeJobChanged, ({ scrapeJobId }) => this.changed(scrapeJobId));
  }
}
