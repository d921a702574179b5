import { Injectable } from '@nestjs/common';
import { and, eq, isNull } from 'drizzle-orm';
import { Database } from '../../platform/database/database.js';
import { jobIsNot } from '../../platform/jobs/job-columns.js';
import { Clock } from '../../platform/time/clock.js';
import { newTime } from '../../posts/published-at.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { type FetchedPage, FetchFailure } from '../fetcher.js';
import { FetchRecorder } from '../run/fetch-recorder.js';
import { FetchStatesStore } from '../run/fetch-states.store.js';
import { FetchStatistics } from '../run/fetch-statistics.js';
import { FetchTrace } from '../run/fetch-trace.js';

/** Somebody else, such as an import, has fetched the page. No validators are stored, so the next fetch reads all. */
@Injectable()
export class FirstFetch {
  constructor(
    private readonly database: Database,
    private readonly states: FetchStatesStore,
    private readonly recorder: FetchRecorder,
    private readonly statistics: FetchStatistics,
    private readonly clock: Clock,
  ) {}

  async record(sourceId: string, fetched: Pick<FetchedPage, 'allows' | 'posts'> | FetchFailure): Promise<void> {
    const { id, lastFetchAt } = fetchStates;
    const startedAt = new Date();
    const recorded = await this.database.transaction(async (db) => {
      const [unfetched] = await db
        .select()
        .from(fetchStates)
        .where(and(eq(id, sourceId), isNull(lastFetchAt), jobIsNot('waiting', fetchStates)))
        .for('update');
      if (!unfetched) return undefined;
      if (fetched instanceof FetchFailure) {
        await this.states.failed(db, sourceId, fetched);
        return unfetched;
      }
      const now = this.clock.now();
      const { allows = {} } = fetched;
      const published = fetched.posts.map(({ publishedAt }, place) => newTime(publishedAt, { now, place }));
      const success = { validators: {}, allows, gaps: [], notBefore: null, lastError: null, published };
      await this.recorder.recordUnclaimed(db, unfetched, success);
      return unfetched;
    });
    if (recorded) this.statistics.log({ source: recorded, cause: 'import', startedAt, report: reportOf(fetched) });
  }
}

function reportOf(fetched: Pick<FetchedPage, 'posts'> | FetchFailure) {
  if (fetched instanceof FetchFailure) return new FetchTrace().failed(fetched);
  return { result: 'fetched', details: { found: fetched.posts.length } } as const;
}
