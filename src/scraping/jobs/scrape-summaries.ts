import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Events } from '../../platform/events/events.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { scrapeJobEnded } from './scrape-jobs.events.js';
import { type ScrapeJob, ScrapeJobsStore } from './scrape-jobs.store.js';

interface Span {
  startedAt: Date | null;
  completedAt: Date | null;
}

/** Logs one line for each scrape job that has ended, after the end is committed, whoever has caused it. */
@Injectable()
export class ScrapeSummaries implements OnModuleInit {
  constructor(
    private readonly events: Events,
    private readonly jobs: ScrapeJobsStore,
    @Inject(LOG) private readonly log: Log,
  ) {}

  onModuleInit() {
    this.events.subscribe(scrapeJobEnded, ({ scrapeJobId, endedBy }) => {
      if (endedBy !== this.jobs.processId) return;
      this.summarise(scrapeJobId).catch((err) =>
        this.log.warn({ event: 'scrape_job_not_summarised', err }, 'Could not log the end of a scrape job'),
      );
    });
  }

  private async summarise(id: string): Promise<void> {
    const job = await this.jobs.load(id);
    if (job) this.log.info({ event: 'scrape_job_ended', ...summaryOf(job) }, `A scrape job ended: ${job.status}`);
  }
}

function summaryOf({ jobId, status, parts, ...job }: ScrapeJob) {
  const bySource = parts.map(({ sourceType, found, processed, duplicates, error, ...part }) => {
    const counts = { found, stored: processed - duplicates, duplicates };
    return { type: sourceType, status: part.status, ...counts, ms: msOf(part), ...(error && { error }) };
  });
  const total = (of: 'found' | 'stored' | 'duplicates') => bySource.reduce((sum, part) => sum + part[of], 0);
  const counts = { found: total('found'), stored: total('stored'), duplicates: total('duplicates') };
  return { jobId, status, ...counts, ms: msOf(job), bySource };
}

/** Null if it has not started. */
const msOf = ({ startedAt, completedAt }: Span) =>
  startedAt && completedAt ? completedAt.getTime() - startedAt.getTime() : null;
