import { Module } from '@nestjs/common';
import { PageReader } from './crawler/page-reader.js';
import { ExternalJobsStore } from './external/external-jobs.store.js';
import { ExternalSearchWorker } from './external/external-search.worker.js';
import { JobResults } from './external/job-results.js';
import { JobResultsStore } from './external/job-results.store.js';
import { Cancellations } from './jobs/cancellations.js';
import { FailedJobsWorker } from './jobs/failed-jobs.worker.js';
import { LiveScrapeJobs } from './jobs/live-scrape-jobs.js';
import { RefusedMessages } from './jobs/refused-messages.js';
import { ScrapeWorker } from './jobs/scrape.worker.js';
import { ScrapeIntake } from './jobs/scrape-intake.js';
import { ScrapeJobsController } from './jobs/scrape-jobs.controller.js';
import { ScrapeJobs } from './jobs/scrape-jobs.js';
import { ScrapeJobsStore } from './jobs/scrape-jobs.store.js';
import { ScrapeMessages } from './jobs/scrape-messages.js';
import { ScrapeSummaries } from './jobs/scrape-summaries.js';
import { WorkerSearches } from './jobs/worker-searches.js';
import { LeadListsStore } from './leads/lead-lists.store.js';
import { LeadsController } from './leads/leads.controller.js';
import { LeadsStore } from './leads/leads.store.js';
import { ScraperRunner } from './scraper-runner.js';

@Module({
  controllers: [ScrapeJobsController, LeadsController],
  providers: [
    ScrapeJobs,
    ScrapeJobsStore,
    ScraperRunner,
    LiveScrapeJobs,
    Cancellations,
    ScrapeWorker,
    PageReader,
    WorkerSearches,
    LeadsStore,
    LeadListsStore,
    ScrapeIntake,
    ScrapeMessages,
    ScrapeSummaries,
    FailedJobsWorker,
    RefusedMessages,
    ExternalJobsStore,
    ExternalSearchWorker,
    JobResults,
    JobResultsStore,
  ],
})
export class ScrapingModule {}
