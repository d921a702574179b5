import { Injectable } from '@nestjs/common';
import type { Db } from '../../platform/database/database.js';
import type { OutgoingRequestError } from '../../platform/http/outgoing-request-error.js';
import { Handles, type JobHandler, type JobRun, OUR_MISTAKE } from '../../platform/jobs/job-handler.js';
import { RetryLater } from '../../platform/jobs/outcomes.js';
import { databaseTime } from '../../platform/time/database-time.js';
import { PostsStore } from '../../posts/posts.store.js';
import { FetchFailure, NoWorker } from '../fetcher.js';
import { isWanted } from '../schedule/next-fetch.js';
import { failureOf, isHostsFault } from './fetch-failure.js';
import { claimedSource, type FetchedSource, type FetchJob, type FetchOutcome, fetchJobs } from './fetch-jobs.js';
import { FetchPage } from './fetch-page.js';
import { FetchRecorder } from './fetch-recorder.js';
import { FetchStatesStore } from './fetch-states.store.js';
import { FetchStatistics } from './fetch-statistics.js';
import { FetchTrace } from './fetch-trace.js';
import { type Walk, walk } from './walk.js';

/** Pages read from the top in one run. The remaining posts become a gap for the next run. */
const MAX_PAGES = 10;
const HOST_BUSY_MS = 5_000;
/** A fetch that holds its slot for longer than this marks its source as slow (ms). */
const SLOW_MS = 2_000;

@Injectable()
@Handles((config) => [...fetchJobs(config).values()])
export class FetchWorker implements JobHandler<FetchJob> {
  constructor(
    private readonly states: FetchStatesStore,
    private readonly pages: FetchPage,
    private readonly posts: PostsStore,
    private readonly recorder: FetchRecorder,
    private readonly statistics: FetchStatistics,
  ) {}

  async run({ sourceId }: FetchJob, run: JobRun<FetchOutcome>) {
    const source = claimedSource(run);
    const trace = new FetchTrace(source.host ?? undefined);
    if (!isWanted(source)) {
      run.report({ result: 'skipped' });
      return run.commit((db) => this.states.skipped(db, sourceId));
    }
    const begunMs = performance.now();
    const isSlow = () => performance.now() - begunMs > SLOW_MS;
    try {
      run.progress(10, `Fetching ${source.externalId}`);
      const found = await this.walk(source, run, trace);
      run.progress(60, `Read ${found.posts.length} posts: ${trace.answer}`);
      const alsoWrite = this.pages.fieldWriter(source, found.posts);
      const news = { walk: found, host: trace.host, slow: isSlow(), alsoWrite };
      const { posts, added, afterCommit } = await this.recorder.record(source, news, run);
      run.progress(90, `Saved ${added.length} new posts of ${found.posts.length}`);
      run.report(trace.brought(found, { posts, added }));
      this.statistics.succeeded(source, { first: found.first, added, foundAt: posts.foundAt });
      await afterCommit?.();
    } catch (error) {
      if (run.signal.aborted) throw error;
      await this.handleError(source, { error, trace, slow: isSlow() }, run);
    }
  }

  private async handleError(
    source: FetchedSource,
    { error, trace, slow }: FailedFetch,
    run: JobRun<FetchOutcome>,
  ): Promise<void> {
    const { id } = source;
    run.report({ target: trace.host });
    if (isHostsFault(error) || error instanceof NoWorker) this.statistics.postponed(source);
    if (isHostsFault(error)) return this.waitForHost(id, error, run);
    if (error instanceof NoWorker) {
      run.report({ result: 'no_worker', reason: error.message });
      return run.commit((db) => this.states.waitsForWorker(db, id, error));
    }
    const failure = failureOf(error);
    if (!failure) throw error;
    run.report(trace.failed(failure));
    const isLast = run.isLastAttempt || !failure.retryable;
    if (failure.wasAsked) this.statistics.failed(source, { isLast });
    else this.statistics.postponed(source);
    if (!isLast) throw error;
    const isCounted = failure.wasAsked || run.attempt > 1;
    await run.commit((db) => this.states.failed(db, id, failure, { isCounted, slow }));
  }

  /** The dead letter has the reason, which followers must not read. The source is retried like a failed one. */
  async failed(db: Db, { sourceId }: FetchJob) {
    await this.states.failed(db, sourceId, new FetchFailure('UNKNOWN_ERROR', OUR_MISTAKE));
  }

  private walk(source: FetchedSource, { id: jobId, signal }: JobRun, trace: FetchTrace): Promise<Walk> {
    return walk({
      floor: source.lastSuccessAt && (source.lastPostId ?? '0'),
      gaps: source.gaps,
      maxPages: MAX_PAGES,
      known: (externalIds) => this.posts.known(source.id, externalIds),
      fetchPage: (cursor) => this.pages.fetchNews(source, { jobId, signal, trace }, cursor),
    });
  }

  private async waitForHost(sourceId: string, { code, until, message }: OutgoingRequestError, run: JobRun) {
    run.report({ result: 'postponed', reason: message });
    if (!until) throw new RetryLater(new Date(databaseTime.nowMs() + HOST_BUSY_MS * (1 + Math.random())), message);
    if (code === 'HOST_BUSY') throw new RetryLater(until, message);
    await run.commit((db) => this.states.hostClosed(db, sourceId, { until, reason: message }));
  }
}

interface FailedFetch {
  error: unknown;
  trace: FetchTrace;
  slow: boolean;
}
