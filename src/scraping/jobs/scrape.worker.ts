import { Injectable } from '@nestjs/common';
import type { Db } from '../../platform/database/database.js';
import { Handles, type JobHandler, type JobRun, OUR_MISTAKE } from '../../platform/jobs/job-handler.js';
import { RetryLater } from '../../platform/jobs/outcomes.js';
import { storableText } from '../../platform/jobs/storable.js';
import { Clock } from '../../platform/time/clock.js';
import { CountedLeads } from '../leads/counted-leads.js';
import { LeadsStore, PartEnded } from '../leads/leads.store.js';
import { failureOf, type ScrapeFailure } from '../scraper.js';
import { ScraperRunner } from '../scraper-runner.js';
import { Cancellations } from './cancellations.js';
import { retryTime } from './retry-time.js';
import { type PartResult, type ScrapePartJob, scrapePartJob } from './scrape.job.js';
import { type PartWithCriteria, ScrapeJobsStore } from './scrape-jobs.store.js';

/** Searches one part: begin → run the scraper and store its leads as they arrive → record the outcome. */
@Injectable()
@Handles(({ scrapeIntake }) => (scrapeIntake === 'on' ? [scrapePartJob] : []))
export class ScrapeWorker implements JobHandler<ScrapePartJob> {
  constructor(
    private readonly jobs: ScrapeJobsStore,
    private readonly leads: LeadsStore,
    private readonly scrapers: ScraperRunner,
    private readonly cancellations: Cancellations,
    private readonly clock: Clock,
  ) {}

  async run({ partId }: ScrapePartJob, run: JobRun<PartResult>) {
    const part = await this.jobs.findPart(partId);
    if (!part) return;
    // The watch starts first, so that no cancellation is missed in between.
    await this.cancellations.watch(part.scrapeJobId, async (cancelled) => {
      if (await this.jobs.beginPart(part, this.clock.now())) await this.search(part, run, cancelled);
    });
  }

  private async search(part: PartWithCriteria, run: JobRun<PartResult>, cancelled: AbortSignal): Promise<void> {
    run.report({ target: part.sourceType });
    try {
      run.progress(10, `Searching ${part.sourceType}`);
      const found = await this.collect(part, run, cancelled);
      await run.commit((db) => this.jobs.endPart(db, part, { status: 'completed' }, this.clock.now()));
      run.report({ result: found ? 'found' : 'nothing_found', details: { found } });
    } catch (error) {
      if (run.signal.aborted) throw error;
      if (error instanceof PartEnded) return run.report({ result: 'cancelled' });
      const failure = failureOf(error);
      if (!failure) throw error;
      const isRetried = this.isRetried(failure, part, run);
      run.report({ result: failure.isPartial && !isRetried ? 'partial' : 'failed', reason: failure.message });
      if (isRetried) throw error;
      const end = { status: failure.isPartial ? 'completed' : 'failed', error: reasonOf(failure) } as const;
      await run.commit((db) => this.jobs.endPart(db, part, end, this.clock.now()));
    }
  }

  private async collect(part: PartWithCriteria, run: JobRun<PartResult>, cancelled: AbortSignal): Promise<number> {
    const { sourceType, criteria } = part;
    const counted = new CountedLeads(criteria.keywords);
    for await (const batch of this.scrapers.run(sourceType, criteria, [run.signal, cancelled])) {
      const leads = counted.take(batch);
      const { found, repeated } = counted;
      await this.leads.save(part, { leads, found, repeated, at: this.clock.now() });
      run.progress(60, `Companies found so far: ${found}, found repeatedly: ${repeated}`);
    }
    run.progress(90, `Saved the leads of all companies: ${counted.found}`);
    return counted.found;
  }

  /** If the source has named a time that is early enough, the part is postponed until then at no cost. */
  private isRetried({ message, retryable, until }: ScrapeFailure, { startedAt }: PartWithCriteria, run: JobRun) {
    if (!until) return retryable && !run.isLastAttempt;
    const now = this.clock.now();
    const again = retryTime({ until, startedAt: startedAt ?? now, now, timeoutMs: this.scrapers.timeoutMs });
    if (again) throw new RetryLater(again, message);
    return false;
  }

  async failed(db: Db, { partId }: ScrapePartJob) {
    const part = await this.jobs.findPart(partId, db);
    if (part) await this.jobs.endPart(db, part, { status: 'failed', error: OUR_MISTAKE }, this.clock.now());
  }

  async replayed(db: Db, { partId }: ScrapePartJob) {
    const part = await this.jobs.findPart(partId, db);
    if (part) await this.jobs.reopenPart(db, part, this.clock.now());
  }
}

function reasonOf({ message, until }: ScrapeFailure): string {
  const then = until?.toISOString();
  const wait = then && !message.includes(then) ? `; it wants to be left alone until ${then}` : '';
  return storableText(message + wait);
}
