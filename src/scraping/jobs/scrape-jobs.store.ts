import { Injectable } from '@nestjs/common';
import { and, arrayContains, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { ScrapeCriteria } from '../../contracts/scrape-job-message.js';
import { Database, type Db } from '../../platform/database/database.js';
import { Events } from '../../platform/events/events.js';
import { waitingRow } from '../../platform/jobs/job-columns.js';
import type { WaitingRow } from '../../platform/jobs/job-rows.js';
import { scrapePartJob } from './scrape.job.js';
import { scrapeJobCancelled } from './scrape-job-cancelled.event.js';
import { scrapeJobChanged } from './scrape-job-changed.event.js';
import { type ScrapeJobStatus, scrapeJobs } from './scrape-jobs.table.js';
import { type ScrapePart, scrapeParts } from './scrape-parts.table.js';

export type ScrapeJobRow = typeof scrapeJobs.$inferSelect;
export type ScrapeJob = ScrapeJobRow & { parts: ScrapePart[] };

export interface NewScrapeJob extends ScrapeCriteria {
  jobId: string;
  userId: string;
  idempotencyKey?: string | undefined;
  rerunOf?: string | undefined;
}

interface ScrapeJobQuery {
  status?: ScrapeJobStatus | undefined;
  sourceType?: string | undefined;
  before?: string | undefined;
  limit: number;
}

const OPEN = ['queued', 'running'] as const;

@Injectable()
export class ScrapeJobsStore {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
  ) {}

  /** Returns the waiting parts, or undefined if a job with that name or key exists already. */
  async insert({ source_types, search_query, ...job }: NewScrapeJob): Promise<WaitingRow[] | undefined> {
    const sourceTypes = [...new Set(source_types)];
    return this.database.transaction(async (db) => {
      const [stored] = await db
        .insert(scrapeJobs)
        .values({ ...job, sourceTypes, searchQuery: search_query })
        .onConflictDoNothing()
        .returning({ id: scrapeJobs.id });
      if (!stored) return undefined;
      const turns = await scrapePartJob.rows.turnsOf(db, job.userId, sourceTypes.length);
      return db
        .insert(scrapeParts)
        .values(sourceTypes.map((sourceType, at) => ({ scrapeJobId: stored.id, sourceType, ...turns[at] })))
        .returning(waitingRow(scrapeParts));
    });
  }

  async find(userId: string, jobId: string): Promise<ScrapeJob | undefined> {
    return this.one(and(eq(scrapeJobs.jobId, jobId), eq(scrapeJobs.userId, userId)));
  }

  async findByKey(userId: string, idempotencyKey: string): Promise<ScrapeJob | undefined> {
    return this.one(and(eq(scrapeJobs.idempotencyKey, idempotencyKey), eq(scrapeJobs.userId, userId)));
  }

  async load(id: string): Promise<ScrapeJob | undefined> {
    return this.one(eq(scrapeJobs.id, id));
  }

  async cancelledAmong(ids: string[]): Promise<string[]> {
    const cancelled = await this.database.db
      .select({ id: scrapeJobs.id })
      .from(scrapeJobs)
      .where(and(inArray(scrapeJobs.id, ids), eq(scrapeJobs.status, 'cancelled')));
    return cancelled.map(({ id }) => id);
  }

  /** Lists the newest jobs first. */
  async list(userId: string, { status, sourceType, before, limit }: ScrapeJobQuery): Promise<ScrapeJob[]> {
    const rows = await this.database.db
      .select()
      .from(scrapeJobs)
      .where(
        and(
          eq(scrapeJobs.userId, userId),
          status && eq(scrapeJobs.status, status),
          sourceType ? arrayContains(scrapeJobs.sourceTypes, [sourceType]) : undefined,
          before === undefined ? undefined : lt(scrapeJobs.id, before),
        ),
      )
      .orderBy(desc(scrapeJobs.id))
      .limit(limit);
    return this.withParts(rows);
  }

  /**
   * Returns false if the job had ended before. Running searches are stopped, and their results are no longer stored.
   */
  async cancel(userId: string, jobId: string, now: Date): Promise<boolean> {
    return this.database.transaction(async (db) => {
      const [job] = await db
        .select({ id: scrapeJobs.id })
        .from(scrapeJobs)
        .where(and(eq(scrapeJobs.jobId, jobId), eq(scrapeJobs.userId, userId)));
      if (!job || !(await cancelParts(db, job.id, now))) return false;
      await db
        .update(scrapeJobs)
        .set({ status: 'cancelled', completedAt: now })
        .where(and(eq(scrapeJobs.id, job.id), inArray(scrapeJobs.status, OPEN)));
      await this.events.publish(db, scrapeJobCancelled, { scrapeJobId: job.id });
      await this.events.publish(db, scrapeJobChanged, { scrapeJobId: job.id });
      return true;
    });
  }

  private async one(which: SQL | undefined): Promise<ScrapeJob | undefined> {
    const [job] = await this.withParts(await this.database.db.select().from(scrapeJobs).where(which));
    return job;
  }

  private async withParts(jobs: ScrapeJobRow[]): Promise<ScrapeJob[]> {
    if (!jobs.length) return [];
    const ids = jobs.map(({ id }) => id);
    const parts = await this.database.db
      .select()
      .from(scrapeParts)
      .where(inArray(scrapeParts.scrapeJobId, ids))
      .orderBy(scrapeParts.id);
    return jobs.map((job) => ({ ...job, parts: parts.filter(({ scrapeJobId }) => scrapeJobId === job.id) }));
  }
}

/** Locks the parts first and then the job, which is the lock order everywhere. Returns false if no part was open. */
async function cancelParts(db: Db, scrapeJobId: string, now: Date): Promise<boolean> {
  const open = and(eq(scrapeParts.scrapeJobId, scrapeJobId), inArray(scrapeParts.status, OPEN));
  const set = sql`status = 'cancelled', completed_at = ${now}`;
  const withdrawn = await scrapePartJob.rows.withdraw(db, open, { set });
  return withdrawn.length > 0;
}
