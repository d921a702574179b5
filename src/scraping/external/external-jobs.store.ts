import { Injectable } from '@nestjs/common';
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { users } from '../../auth/users/users.table.js';
import { Database, type Db } from '../../platform/database/database.js';
import { OPEN, type ScrapeJob, ScrapeJobsStore } from '../jobs/scrape-jobs.store.js';
import { type ScrapeJobRow, scrapeJobs } from '../jobs/scrape-jobs.table.js';
import { type ScrapePart, scrapeParts } from '../jobs/scrape-parts.table.js';

export interface ExternalPart {
  part: ScrapePart;
  job: ScrapeJob;
  /** The id of the user in the application, or Millrace's own. */
  userId: string;
}

/** Every transaction locks parts before their job, as in `ScrapeJobsStore`. */
@Injectable()
export class ExternalJobsStore {
  constructor(
    private readonly database: Database,
    private readonly jobs: ScrapeJobsStore,
  ) {}

  async find(partId: string): Promise<ExternalPart | undefined> {
    const [found] = await this.database.db
      .select({ jobId: scrapeParts.scrapeJobId, userId: users.id, externalId: users.externalId })
      .from(scrapeParts)
      .innerJoin(scrapeJobs, eq(scrapeJobs.id, scrapeParts.scrapeJobId))
      .innerJoin(users, eq(users.id, scrapeJobs.userId))
      .where(eq(scrapeParts.id, partId));
    const job = found && (await this.jobs.load(found.jobId));
    const part = job?.parts.find(({ id }) => id === partId);
    return job && part && { part, job, userId: found.externalId ?? found.userId };
  }

  async published(db: Db, { id }: ScrapeJob, { at, answerBy }: { at: Date; answerBy: Date }): Promise<void> {
    await db
      .update(scrapeParts)
      .set({ error: null })
      .where(and(eq(scrapeParts.scrapeJobId, id), inArray(scrapeParts.status, OPEN), isNotNull(scrapeParts.error)));
    await db.update(scrapeJobs).set({ publishedAt: at, answerBy }).where(eq(scrapeJobs.id, id));
    await this.jobs.updateStatus(db, id, at);
  }

  /** The job is published again with its next run. */
  async unpublished(db: Db, scrapeJobId: string): Promise<void> {
    await db.update(scrapeJobs).set({ publishedAt: null, answerBy: null }).where(eq(scrapeJobs.id, scrapeJobId));
  }

  /** Shows the owner why a job that is still open does not get on. */
  async waits(db: Db, { id, scrapeJobId }: ScrapePart, reason: string, now: Date): Promise<void> {
    const isNews = sql`${scrapeParts.error} IS DISTINCT FROM ${reason}`;
    const { rowCount } = await db
      .update(scrapeParts)
      .set({ error: reason })
      .where(and(eq(scrapeParts.id, id), inArray(scrapeParts.status, OPEN), isNews));
    if (rowCount) await this.jobs.updateStatus(db, scrapeJobId, now);
  }

  /** Ends parts without a valid final result, which may still follow and then counts. */
  async gaveUp(db: Db, job: ScrapeJobRow, parts: ScrapePart[], { reason, at }: { reason: string; at: Date }) {
    for (const part of parts)
      await this.jobs.endPart(db, { ...part, userId: job.userId }, { status: 'failed', error: reason }, at);
    await db.update(scrapeJobs).set({ gaveUpAt: at }).where(eq(scrapeJobs.id, job.id));
  }
}
