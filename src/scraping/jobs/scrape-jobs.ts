import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { UsersStore } from '../../auth/users/users.store.js';
import type { ScrapeCriteria, ScrapeJobMessage } from '../../contracts/scrape-job-message.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { ScraperRunner } from '../scraper-runner.js';
import { scrapePartJob } from './scrape.job.js';
import { criteriaOf, sameCriteria } from './scrape-criteria.js';
import { type ScrapeJobView, toScrapeJobView } from './scrape-job-view.js';
import { type NewScrapeJob, type ScrapeJob, ScrapeJobsStore } from './scrape-jobs.store.js';

/** After a crash between storing and enqueuing, the sweep enqueues the parts. */
@Injectable()
export class ScrapeJobs {
  constructor(
    private readonly store: ScrapeJobsStore,
    private readonly scrapers: ScraperRunner,
    private readonly users: UsersStore,
    private readonly jobs: Jobs,
  ) {}

  /** Returns false if a job with that id exists already. */
  async receive({ job_id: jobId, user_id, schema_version: _, ...criteria }: ScrapeJobMessage): Promise<boolean> {
    return this.take({ ...criteria, jobId, userId: await this.users.ensure(user_id) });
  }

  async create(userId: string, criteria: ScrapeCriteria, idempotencyKey?: string): Promise<ScrapeJob> {
    this.check(criteria);
    const jobId = randomUUID();
    const isNew = await this.take({ ...criteria, jobId, userId, idempotencyKey });
    if (isNew || !idempotencyKey) return existing(await this.store.find(userId, jobId));
    const job = existing(await this.store.findByKey(userId, idempotencyKey));
    if (!sameCriteria(job, criteria))
      throw new ApiError(
        'idempotency_key_reused',
        `The key was used for the job ${job.jobId}, which asks for something else.`,
      );
    return job;
  }

  async rerun(job: ScrapeJob): Promise<ScrapeJob> {
    const { userId, jobId: rerunOf } = job;
    const criteria = criteriaOf(job);
    this.check(criteria);
    const jobId = randomUUID();
    await this.take({ ...criteria, jobId, userId, rerunOf });
    return existing(await this.store.find(userId, jobId));
  }

  view(job: ScrapeJob): ScrapeJobView {
    return toScrapeJobView(job, (type, filters) => this.scrapers.ignoredFilters(type, filters));
  }

  /** Returns false if a job with that name or key exists already. */
  private async take(job: NewScrapeJob): Promise<boolean> {
    const parts = await this.store.insert(job);
    if (parts) await this.jobs.enqueueRows(scrapePartJob, parts);
    return parts !== undefined;
  }

  private check(criteria: ScrapeCriteria): void {
    const refusals = this.scrapers.refusals(criteria);
    const errors = refusals.map(({ path, message }) => ({ path: path.join('.'), message }));
    if (!errors.length) return;
    throw new ApiError('validation_failed', errors.map(({ path, message }) => `${path}: ${message}`).join('; '), {
      errors,
    });
  }
}

function existing(job: ScrapeJob | undefined): ScrapeJob {
  if (!job) throw new Error('the scrape job was not stored');
  return job;
}
