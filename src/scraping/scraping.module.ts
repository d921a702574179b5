import { Module } from '@nestjs/common';
import { Cancellations } from './cancellations.js';
import { FailedJobsWorker } from './failed-jobs.worker.js';
import { LeadListsStore } from './leads/lead-lists.store.js';
import { LeadMetrics } from './leads/lead-metrics.js';
import { LeadsController } from './leads/leads.controller.js';
import { LeadsStore } from './leads/leads.store.js';
import { LiveScrapeJobs } from './live-scrape-jobs.js';
import { ScrapeWorker } from './scrape.worker.js';
import { ScrapeIntake } from './scrape-intake.js';
import { ScrapeJobsController } from './scrape-jobs.controller.js';
import { ScrapeJobs } from './scrape-jobs.js';
import { ScrapeJobsStore } from './scrape-jobs.store.js';
import { ScrapeTypes } from './scrape-types.js';
import { SearchTools } from './search-tools.js';
import { SearchesStore } from './searches.store.js';
import { PageReader } from './web/page-reader.js';
import { WorkerSearches } from './worker-searches.js';

/** Leads: what is looked for, where, and what was found. */
@Module({
  controllers: [ScrapeJobsController, LeadsController],
  providers: [
    ...[ScrapeJobs, ScrapeJobsStore, ScrapeTypes, LiveScrapeJobs, Cancellations],
    ...[ScrapeWorker, SearchesStore, SearchTools, PageReader, WorkerSearches],
    ...[LeadsStore, LeadMetrics, LeadListsStore, ScrapeIntake, FailedJobsWorker],
  ],
})
export class ScrapingModule {}
