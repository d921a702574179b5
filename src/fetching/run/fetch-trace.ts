import type { HttpResponse } from '../../platform/http/http-response.js';
import type { WorkReport } from '../../platform/jobs/work-result.js';
import type { PreparedPost, PreparedPosts } from '../../posts/posts.store.js';
import type { FetchFailure, FetchFailureCode } from '../fetcher.js';
import type { FetchOutcome } from './fetch-jobs.js';
import type { Walk } from './walk.js';

type FetchReport = WorkReport & { result: FetchOutcome };

/** Results of failures that are neither the source's fault nor ours. */
const OUTCOMES: Partial<Record<FetchFailureCode, FetchOutcome>> = { GONE: 'gone', RATE_LIMITED: 'rate_limited' };

export class FetchTrace {
  private status: number | null = null;
  private bytes = 0;
  private readonly counts: { totalAvailable?: number; skippedCount?: number } = {};

  constructor(public host?: string) {}

  get answer(): string {
    return this.status === null ? 'no HTTP request of ours' : `HTTP status ${this.status}, ${this.bytes} bytes`;
  }

  answered({ status, body }: Pick<HttpResponse, 'status' | 'body'>): void {
    this.status = status;
    this.bytes += body.length;
  }

  /** Each page of a walk reports what it skipped, and the newest page knows best how many posts there are. */
  counted({ totalAvailable, skippedCount }: WorkerCounts): void {
    if (totalAvailable !== undefined) this.counts.totalAvailable ??= totalAvailable;
    if (skippedCount !== undefined) this.counts.skippedCount = (this.counts.skippedCount ?? 0) + skippedCount;
  }

  brought({ posts: found, error }: Pick<Walk, 'posts' | 'error'>, saved: SavedPosts): FetchReport {
    const updated = saved.posts.posts.filter(({ isNew }) => !isNew).length;
    const { length: added } = saved.added;
    return {
      result: added || updated ? 'fetched' : 'unchanged',
      target: this.host,
      details: { ...this.facts(), found: found.length, new: added, updated, ...this.counts },
      ...(error && { reason: error.message }),
    };
  }

  failed({ code, message: reason }: Pick<FetchFailure, 'code' | 'message'>): FetchReport {
    const result = OUTCOMES[code] ?? 'source_error';
    return { result, reason, target: this.host, details: { ...this.facts(), error: code } };
  }

  private facts() {
    return { status: this.status, bytes: this.bytes };
  }
}

interface WorkerCounts {
  totalAvailable?: number | undefined;
  skippedCount?: number | undefined;
}

interface SavedPosts {
  posts: Pick<PreparedPosts, 'posts'>;
  added: PreparedPost[];
}
