import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { and, arrayContains, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { ScrapeCriteria } from '../../contracts/scrape-job-message.js';
import { Database, type Db } from '../../platform/database/database.js';
import { Events } from '../../platform/events/events.js';
import { waitingRow } from '../../platform/jobs/job-columns.js';
import type { WaitingRow } from '../../platform/jobs/job-rows.js';
import type { PartRef } from '../leads/leads.store.js';
import type { Criteria } from '../scraper.js';
import { scrapePartJob } from './scrape.job.js';
import { criteriaOf, toCriteria } from './scrape-criteria.js';
import { scrapeJobCancelled, scrapeJobChanged, scrapeJobEnded } from './scrape-jobs.events.js';
import { type ScrapeJobRow, type ScrapeJobStatus, scrapeJobs } from './scrape-jobs.table.js';
import { type PartStatus, type ScrapePart, scrapeParts } from './scrape-parts.table.js';

export type ScrapeJob = ScrapeJobRow & { parts: ScrapePart[] };

export interface NewScrapeJob extends ScrapeCriteria {
  jobId: string;
  userId: string;
  idempotencyKey?: string | undefined;
  rerunOf?: string | undefined;
}

export interface PartWithCriteria extends PartRef {
  startedAt: Date | null;
  criteria: Criteria;
}

/** A completed part may still report what could not be searched. */
type PartEnd = { status: 'completed'; error?: string } | { status: 'failed'; error: string };

interface ScrapeJobQuery {
  status?: ScrapeJobStatus | undefined;
  sourceType?: string | undefined;
  before?: string | undefined;
  limit: number;
}

export const OPEN = ['queued', 'running'] as const;

/** Every transaction locks the part's row before the job's. */
@Injectable()
export class ScrapeJobsStore {
  /** Distinguishes the ends that this process has stored from those of others. */
  readonly processId = randomUUID();

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

  /** Returns false if the job had ended before. */
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
      await this.events.publish(db, scrapeJobEnded, { scrapeJobId: job.id, endedBy: this.processId });
      return true;
    });
  }

  async findPart(partId: string, db: Db = this.database.db): Promise<PartWithCriteria | undefined> {
    const [found] = await db
      .select({ part: scrapeParts, job: scrapeJobs })
      .from(scrapeParts)
      .innerJoin(scrapeJobs, eq(scrapeJobs.id, scrapeParts.scrapeJobId))
      .where(eq(scrapeParts.id, partId));
    if (!found) return undefined;
    const { part, job } = found;
    return {
      id: part.id,
      scrapeJobId: job.id,
      userId: job.userId,
      sourceType: part.sourceType,
      startedAt: part.startedAt,
      criteria: toCriteria(criteriaOf(job)),
    };
  }

  async beginPart({ id, scrapeJobId }: PartRef, now: Date): Promise<boolean> {
    return this.database.transaction(async (db) => {
      const { rowCount } = await db
        .update(scrapeParts)
        .set({ status: 'running', startedAt: sql`coalesce(${scrapeParts.startedAt}, ${now})` })
        .where(and(eq(scrapeParts.id, id), inArray(scrapeParts.status, OPEN)));
      if (!rowCount) return false;
      if (await this.updateStatus(db, scrapeJobId, now)) return true;
      // A part that was reopened may belong to a job that was cancelled meanwhile.
      await db.update(scrapeParts).set({ status: 'cancelled', completedAt: now }).where(eq(scrapeParts.id, id));
      return false;
    });
  }

  /** Call inside the transaction that ends the part's work. A part that was cancelled meanwhile stays cancelled. */
  async endPart(db: Db, { id, scrapeJobId }: PartRef, end: PartEnd, now: Date): Promise<void> {
    await db
      .update(scrapeParts)
      .set({ error: null, ...end, completedAt: now })
      .where(and(eq(scrapeParts.id, id), inArray(scrapeParts.status, OPEN)));
    await this.updateStatus(db, scrapeJobId, now);
  }

  async reopenPart(db: Db, { id, scrapeJobId }: PartRef, now: Date): Promise<void> {
    const open = { status: 'queued', error: null, startedAt: null, completedAt: null } as const;
    await db
      .update(scrapeParts)
      .set(open)
      .where(and(eq(scrapeParts.id, id), eq(scrapeParts.status, 'failed')));
    await this.updateStatus(db, scrapeJobId, now);
  }

  /** Returns false if the job was cancelled, which is final. */
  async updateStatus(db: Db, scrapeJobId: string, now: Date): Promise<boolean> {
    // Each end of a part takes a key-share lock on the job, so two parts would deadlock with `for update`.
    const held = db.select().from(scrapeJobs).where(eq(scrapeJobs.id, scrapeJobId)).for('no key update');
    const [job] = await held;
    if (!job || job.status === 'cancelled') return false;
    const parts = await db.select().from(scrapeParts).where(eq(scrapeParts.scrapeJobId, scrapeJobId));
    const status = statusOfParts(parts.map((part) => part.status));
    const isOpen = status === 'queued' || status === 'running';
    const errors = parts.flatMap(({ sourceType, error }) => (error ? [`${sourceType}: ${error}`] : []));
    await db
      .update(scrapeJobs)
      .set({
        status,
        error: errors.join('; ') || null,
        startedAt: status === 'queued' ? null : (job.startedAt ?? now),
        completedAt: isOpen ? null : now,
      })
      .where(eq(scrapeJobs.id, scrapeJobId));
    await this.events.publish(db, scrapeJobChanged, { scrapeJobId });
    if (!isOpen && status !== job.status)
      await this.events.publish(db, scrapeJobEnded, { scrapeJobId, endedBy: this.processId });
    return true;
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

async function cancelParts(db: Db, scrapeJobId: string, now: Date): Promise<boolean> {
  const open = and(eq(scrapeParts.scrapeJobId, scrapeJobId), inArray(scrapeParts.status, OPEN));
  const set = sql`status = 'cancelled', completed_at = ${now}`;
  const withdrawn = await scrapePartJob.rows.withdraw(db, open, { set });
  return withdrawn.length > 0;
}

function statusOfParts(parts: readonly PartStatus[]): Exclude<ScrapeJobStatus, 'cancelled'> {
  if (parts.every((status) => status === 'queued')) return 'queued';
  if (parts.some((status) => status === 'queued' || status === 'running')) return 'running';
  if (parts.every((status) => status === 'completed')) return 'completed';
  return parts.some((status) => status === 'completed') ? 'partial' : 'failed';
}
