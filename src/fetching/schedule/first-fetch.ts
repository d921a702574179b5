import { Injectable } from '@nestjs/common';
import { and, eq, isNull } from 'drizzle-orm';
import { Database } from '../../platform/database/database.js';
import { jobIsNot } from '../../platform/jobs/job-columns.js';
import { Clock } from '../../platform/time/clock.js';
import { believable } from '../../posts/published-at.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { type FetchedPage, FetchFailure } from '../fetcher.js';
import { FetchLog } from '../run/fetch-log.js';
import { FetchStatesStore } from '../run/fetch-states.store.js';
import { FetchTrace } from '../run/fetch-trace.js';

/**
 * Records a page that somebody else, such as an import, has fetched of a source that was never fetched on schedule.
 * The source then counts as fetched and is not requested again at once. No validators are stored, so the next fetch
 * reads everything.
 */
@Injectable()
export class FirstFetch {
  constructor(
    private readonly database: Database,
    private readonly states: FetchStatesStore,
    private readonly clock: Clock,
    private readonly log: FetchLog,
  ) {}

  async record(sourceId: string, fetched: Pick<FetchedPage, 'allows' | 'posts'> | FetchFailure): Promise<void> {
    const { id, type, lastFetchAt } = fetchStates;
    const startedAt = new Date();
    const recorded = await this.database.transaction(async (db) => {
      const [unfetched] = await db
        .select({ id, type })
        .from(fetchStates)
        .where(and(eq(id, sourceId), isNull(lastFetchAt), jobIsNot('waiting', fetchStates)))
        .for('update');
      if (!unfetched) return undefined;
      const now = this.clock.now();
      if (fetched instanceof FetchFailure) {
        await this.states.failed(db, sourceId, fetched, { now });
        return unfetched;
      }
      const { allows = {} } = fetched;
      const published = fetched.posts.flatMap(({ publishedAt }) => believable(publishedAt, now) ?? []);
      const success = { validators: {}, allows, gaps: [], notBefore: null, lastError: null, published };
      await this.states.succeeded(db, sourceId, success, now);
      return unfetched;
    });
    if (recorded) this.log.add({ source: recorded, cause: 'import', startedAt, report: reportOf(fetched) });
  }
}

/** The caller stores the posts, so their number is all that is reported here. */
function reportOf(fetched: Pick<FetchedPage, 'posts'> | FetchFailure) {
  if (fetched instanceof FetchFailure) return new FetchTrace().failed(fetched);
  return { result: 'fetched', details: { found: fetched.posts.length } } as const;
}
