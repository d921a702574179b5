import { Injectable } from '@nestjs/common';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { Database, type Db } from '../../platform/database/database.js';
import { Events } from '../../platform/events/events.js';
import type { PartRef } from '../leads/leads.store.js';
import type { Criteria } from '../scraper.js';
import { criteriaOf, toCriteria } from './scrape-criteria.js';
import { scrapeJobChanged } from './scrape-job-changed.event.js';
import { type ScrapeJobStatus, scrapeJobs } from './scrape-jobs.table.js';
import { type PartStatus, scrapeParts } from './scrape-parts.table.js';

/** A part of a job with its criteria. */
export interface PartWithCriteria extends PartRef {
  startedAt: Date | null;
  criteria: Criteria;
}

/** A completed part may still report what could not be searched. */
type End = { status: 'completed'; error?: string } | { status: 'failed'; error: string };

/** Changes the status of parts and of their jobs. It locks the part's row first, then the job's. */
@Injectable()
export class SearchesStore {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
  ) {}

  async find(partId: string, db: Db = this.database.db): Promise<PartWithCriteria | undefined> {
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

  /** Returns false if the part is no longer to be searched. */
  async begin({ id, scrapeJobId }: PartRef, now: Date): Promise<boolean> {
    return this.database.transaction(async (db) => {
      const { rowCount } = await db
        .update(scrapeParts)
        .set({ status: 'running', startedAt: sql`coalesce(${scrapeParts.startedAt}, ${now})` })
        .where(and(eq(scrapeParts.id, id), inArray(scrapeParts.status, ['queued', 'running'])));
      if (!rowCount) return false;
      if (await this.follow(db, scrapeJobId, now)) return true;
      // A part that was reopened may belong to a job that was cancelled meanwhile.
      await db.update(scrapeParts).set({ status: 'cancelled', completedAt: now }).where(eq(scrapeParts.id, id));
      return false;
    });
  }

  /**
   * Must be called in the transaction that ends the part's work. A part that was cancelled meanwhile stays cancelled.
   */
  async end(db: Db, { id, scrapeJobId }: PartRef, end: End, now: Date): Promise<void> {
    await db
      .update(scrapeParts)
      .set({ error: null, ...end, completedAt: now })
      .where(and(eq(scrapeParts.id, id), inArray(scrapeParts.status, ['queued', 'running'])));
    await this.follow(db, scrapeJobId, now);
  }

  /** Reopens a failed part for another attempt. */
  async reopen(db: Db, { id, scrapeJobId }: PartRef, now: Date): Promise<void> {
    const open = { status: 'queued', error: null, startedAt: null, completedAt: null } as const;
    await db
      .update(scrapeParts)
      .set(open)
      .where(and(eq(scrapeParts.id, id), eq(scrapeParts.status, 'failed')));
    await this.follow(db, scrapeJobId, now);
  }

  /** Derives the job's status from its parts. Returns false if the job was cancelled, which is final. */
  private async follow(db: Db, scrapeJobId: string, now: Date): Promise<boolean> {
    // The end of a part updates its row twice, which takes a key-share lock on the job. With `for update`, two parts
    // would deadlock.
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
    return true;
  }
}

/** Derives the status of a job from its parts. A cancelled job stays cancelled and is not passed in. */
function statusOfParts(parts: readonly PartStatus[]): Exclude<ScrapeJobStatus, 'cancelled'> {
  if (parts.every((status) => status === 'queued')) return 'queued';
  if (parts.some((status) => status === 'queued' || status === 'running')) return 'running';
  if (parts.every((status) => status === 'completed')) return 'completed';
  return parts.some((status) => status === 'completed') ? 'partial' : 'failed';
}
