import { Inject, Injectable } from '@nestjs/common';
import { SCHEMA_VERSION } from '../../contracts/fields.js';
import { SCRAPE_RESULTS } from '../../contracts/queues.js';
import type { NewScrapeJobMessage } from '../../contracts/scrape-job-message.js';
import { Broker } from '../../platform/broker/broker.js';
import { BrokerError } from '../../platform/broker/broker-error.js';
import { Declarations } from '../../platform/broker/declarations.js';
import { CONFIG, type Config, durationText } from '../../platform/config.js';
import type { Db } from '../../platform/database/database.js';
import { Handles, type JobHandler, type JobRun, OUR_MISTAKE } from '../../platform/jobs/job-handler.js';
import { RetryLater } from '../../platform/jobs/outcomes.js';
import { databaseTime } from '../../platform/time/database-time.js';
import { traceparent } from '../../platform/tracing/traced.js';
import { type PartResult, type ScrapePartJob, scrapePartJob } from '../jobs/scrape.job.js';
import { ScrapeJobsStore } from '../jobs/scrape-jobs.store.js';
import { ExternalJobsStore, type ExternalPart } from './external-jobs.store.js';

const MIN_RETRY_MS = 5_000;
const MAX_RETRY_MS = 60_000;

/** Publishes the job of a part to `scrape_jobs` once, and ends the part if no result arrives in time. */
@Injectable()
@Handles(({ scrapeIntake }) => (scrapeIntake === 'off' ? [scrapePartJob] : []))
export class ExternalSearchWorker implements JobHandler<ScrapePartJob> {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly broker: Broker,
    private readonly declarations: Declarations,
    private readonly external: ExternalJobsStore,
    private readonly jobs: ScrapeJobsStore,
  ) {}

  async run({ partId }: ScrapePartJob, run: JobRun<PartResult>) {
    const found = await this.external.find(partId);
    if (!found) return;
    run.report({ target: found.part.sourceType });
    const answerBy = found.job.answerBy ?? (await this.publishOnce(found, run));
    if (databaseTime.now() < answerBy) throw new RetryLater(answerBy, `waits for a result on ${SCRAPE_RESULTS}`);
    await this.giveUp(found, run);
  }

  /** Of the parts of a job, the first open one publishes it. */
  private async publishOnce({ part, job, userId }: ExternalPart, run: JobRun<PartResult>): Promise<Date> {
    const open = job.parts.filter(({ status }) => status === 'queued' || status === 'running');
    if (open[0]?.id !== part.id)
      throw new RetryLater(retryAt(job.createdAt), 'another source type of the job publishes it');
    const types = open.map(({ sourceType }) => sourceType);
    try {
      await this.publish(toMessage({ part, job, userId }, types));
    } catch (error) {
      if (!(error instanceof BrokerError)) throw error;
      const reason = `not published to ${this.config.scrapeQueue} yet: ${error.message}`;
      await run.write((db) => this.external.waits(db, part, reason, databaseTime.now()));
      throw new RetryLater(retryAt(job.createdAt), reason);
    }
    const at = databaseTime.now();
    const answerBy = new Date(at.getTime() + this.config.scrapeResultTimeoutMs);
    // A crash before this write publishes the job again, under the same job_id.
    await run.write((db) => this.external.published(db, job, { at, answerBy }));
    return answerBy;
  }

  private async publish(message: NewScrapeJobMessage & { job_id: string }): Promise<void> {
    const trace = traceparent();
    const envelope = {
      routingKey: this.config.scrapeQueue,
      messageId: message.job_id,
      correlationId: message.job_id,
      replyTo: SCRAPE_RESULTS,
      appId: 'millrace',
      ...(trace && { headers: { traceparent: trace } }),
    };
    try {
      await this.broker.publish(envelope, message);
    } catch (error) {
      if (error instanceof BrokerError && error.code === 'NO_QUEUE') await this.declarations.declareAll();
      throw error;
    }
  }

  private async giveUp({ part, job }: ExternalPart, run: JobRun<PartResult>): Promise<void> {
    const { scrapeQueue, scrapeResultTimeoutMs } = this.config;
    const limit = durationText(scrapeResultTimeoutMs);
    const reason = `no result arrived on ${SCRAPE_RESULTS} within ${limit}: check the worker that consumes ${scrapeQueue}`;
    run.report({ result: 'failed', reason });
    await run.commit((db) => this.external.gaveUp(db, job, [part], { reason, at: databaseTime.now() }));
  }

  async failed(db: Db, { partId }: ScrapePartJob) {
    const part = await this.jobs.findPart(partId, db);
    if (part) await this.jobs.endPart(db, part, { status: 'failed', error: OUR_MISTAKE }, databaseTime.now());
  }

  async replayed(db: Db, { partId }: ScrapePartJob) {
    const part = await this.jobs.findPart(partId, db);
    if (!part) return;
    await this.jobs.reopenPart(db, part, databaseTime.now());
    await this.external.unpublished(db, part.scrapeJobId);
  }
}

/** The longer a job waits, the more rarely it is tried. */
function retryAt(createdAt: Date): Date {
  const now = databaseTime.nowMs();
  const pause = Math.min(MAX_RETRY_MS, Math.max(MIN_RETRY_MS, (now - createdAt.getTime()) / 4));
  return new Date(now + pause);
}

/** All fields are present, because plain workers read them without looking. */
function toMessage({ job, userId }: ExternalPart, source_types: string[]) {
  return {
    schema_version: SCHEMA_VERSION,
    job_id: job.jobId,
    user_id: userId,
    industry: job.industry,
    geography: job.geography,
    keywords: job.keywords,
    source_types,
    search_query: job.searchQuery,
    filters: job.filters,
  } satisfies NewScrapeJobMessage;
}
