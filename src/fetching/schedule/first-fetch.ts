import { Injectable } from '@nestjs/common';
import { and, eq, isNull, ne } from 'drizzle-orm';
import { Database } from '../../platform/database/database.js';
import { Clock } from '../../platform/time/clock.js';
import { believable } from '../../posts/published-at.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { type FetchedPage, FetchFailure } from '../fetcher.js';
import { FetchLog } from '../run/fetch-log.js';
import { FetchStatesStore } from '../run/fetch-states.store.js';
import { FetchTrace } from '../run/fetch-trace.js';

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
    private readonly log: FetchLog,
  ) {}

  async record(sourceId: string, came: Pick<FetchedPage, 'allows' | 'posts'> | FetchFailure): Promise<void> {
    const { id, type, lastFetchAt, jobState } = fetchStates;
    const startedAt = new Date();
    const recorded = await this.database.transaction(async (db) => {
      const [unfetched] = await db
        .select({ id, type })
        .from(fetchStates)
        .where(and(eq(id, sourceId), isNull(lastFetchAt), ne(jobState, 'waiting')))
        .for('update');
      if (!unfetched) return undefined;
      const now = this.clock.now();
      if (came instanceof FetchFailure) {
        await this.states.failed(db, sourceId, came, { now });
        return unfetched;
      }
      const { allows = {} } = came;
      const published = came.posts.flatMap(({ publishedAt }) => believable(publishedAt, now) ?? []);
      const success = { validators: {}, allows, gaps: [], notBefore: null, lastError: null, published };
      await this.states.succeeded(db, sourceId, success, now);
      return unfetched;
    });
    if (recorded) this.log.add({ source: recorded, cause: 'import', startedAt, report: reportOf(came) });
  }
}

/** Its posts are stored by whoever has fetched the page. */
function reportOf(came: Pick<FetchedPage, 'posts'> | FetchFailure) {
  if (came instanceof FetchFailure) return new FetchTrace().failed(came);
  return { result: 'fetched', details: { found: came.posts.length } } as const;
}
