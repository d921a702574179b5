import { Injectable } from '@nestjs/common';
import { and, desc, eq, lt } from 'drizzle-orm';
import type { ScrapeJobMessage } from '../contracts/scrape-job-message.js';
import { Database } from '../platform/database/database.js';
import type { ScrapeJobStatus } from './scrape-job-status.js';
import { scrapeJobs } from './scrape-jobs.table.js';

export type ScrapeJobRow = typeof scrapeJobs.$inferSelect;

interface Wanted {
  status?: ScrapeJobStatus | undefined;
  before?: string | undefined;
  limit: number;
}

@Injectable()
export class ScrapeJobsStore {
  constructor(private readonly database: Database) {}

  /** False when there is a job of that name already. */
  async insert(userId: string, job: ScrapeJobMessage): Promise<boolean> {
    const { rowCount } = await this.database.db
      .insert(scrapeJobs)
      .values({
        jobId: job.job_id,
        userId,
        industry: job.industry,
        geography: job.geography,
        keywords: job.keywords,
        sourceTypes: [...new Set(job.source_types)],
        searchQuery: job.search_query,
        filters: job.filters,
      })
      .onConflictDoNothing({ target: scrapeJobs.jobId });
    return rowCount === 1;
  }

  async find(userId: string, jobId: string): Promise<ScrapeJobRow | undefined> {
    const [job] = await this.database.db
      .select()
      .from(scrapeJobs)
      .where(and(eq(scrapeJobs.jobId, jobId), eq(scrapeJobs.userId, userId)));
    return job;
  }

  /** Newest first. */
  async list(userId: string, { status, before, limit }: Wanted): Promise<ScrapeJobRow[]> {
    return this.database.db
      .select()
      .from(scrapeJobs)
      .where(
        and(
          eq(scrapeJobs.userId, userId),
          status && eq(scrapeJobs.status, status),
          before === undefined ? undefined : lt(scrapeJobs.id, before),
        ),
      )
      .orderBy(desc(scrapeJobs.id))
      .limit(limit);
  }
}
