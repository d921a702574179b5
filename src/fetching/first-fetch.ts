import { Injectable } from '@nestjs/common';
import { and, eq, isNull, ne } from 'drizzle-orm';
import { Clock } from '../platform/clock.js';
import { Database } from '../platform/database/database.js';
import { believable } from '../posts/published-at.js';
import { fetchStates } from '../sources/fetch-states.table.js';
import { FetchStatesStore } from './fetch-states.store.js';
import { type FetchedPage, FetchFailure } from './fetcher.js';

/**
 * For who has fetched a page of a source that was never fetched on schedule: the first fetch is done, and whoever follows
 * the source now need not ask it again at once. No validators are kept: the next fetch reads what it finds.
 */
@Injectable()
export class FirstFetch {
  constructor(
    private readonly database: Database,
    private readonly states: FetchStatesStore,
    private readonly clock: Clock,
  ) {}

  async record(sourceId: string, came: Pick<FetchedPage, 'allows' | 'posts'> | FetchFailure): Promise<void> {
    const { id, lastFetchAt, jobState } = fetchStates;
    await this.database.transaction(async (db) => {
      const [unfetched] = await db
        .select({ id })
        .from(fetchStates)
        .where(and(eq(id, sourceId), isNull(lastFetchAt), ne(jobState, 'waiting')))
        .for('update');
      if (!unfetched) return;
      const now = this.clock.now();
      if (came instanceof FetchFailure) return this.states.failed(db, sourceId, came, now);
      const { allows = {} } = came;
      const published = came.posts.flatMap(({ publishedAt }) => believable(publishedAt, now) ?? []);
      const success = { validators: {}, allows, gaps: [], notBefore: null, lastError: null, published };
      await this.states.succeeded(db, sourceId, success, now);
    });
  }
}
