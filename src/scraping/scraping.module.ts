import { Module } from '@nestjs/common';
import { FailedJobsWorker } from './failed-jobs.worker.js';
import { ScrapeIntake } from './scrape-intake.js';
import { ScrapeJobsController } from './scrape-jobs.controller.js';
import { ScrapeJobsStore } from './scrape-jobs.store.js';

/** Leads: what is looked for, for whom. */
@Module({
  controllers: [ScrapeJobsController],
  providers: [ScrapeJobsStore, ScrapeIntake, FailedJobsWorker],
})
export class ScrapingModule {}
