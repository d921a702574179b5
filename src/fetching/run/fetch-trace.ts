import type { HttpResponse } from '../../platform/http/http-response.js';
import type { WorkReport } from '../../platform/queue/work-result.js';
import type { PreparedPost, PreparedPosts } from '../../posts/posts.store.js';
import type { FetchFailure, FetchFailureCode } from '../fetcher.js';
import type { FetchOutcome } from './fetch-jobs.js';
import type { Walk } from './walk.js';

type FetchReport = WorkReport & { result: FetchOutcome };

/** Failures that say nothing against the source, nor against us. */
const OUTCOMES: Partial<Record<FetchFailureCode, FetchOutcome>> = { GONE: 'gone', RATE_LIMITED: 'rate_limited' };

/** What was asked and answered in one fetch, for the record of its run. */
export class FetchTrace {
  private status: number | null = null;
  private bytes = 0;

  /** The host is the one that the source is fetched from. */
  constructor(public host?: string) {}

  answered({ status, body }: Pick<HttpResponse, 'status' | 'body'>): void {
    this.status = status;
    this.bytes += body.length;
  }

  brought({ posts: found, trouble }: Pick<Walk, 'posts' | 'trouble'>, saved: Saved): FetchReport {
    const updated = saved.posts.posts.filter(({ isNew }) => !isNew).length;
    const { length: added } = saved.added;
    return {
      result: added || updated ? 'fetched' : 'unchanged',
      target: this.host,
      details: { ...this.answer(), found: found.length, new: added, updated },
      ...(trouble && { reason: trouble.message }),
    };
  }

  failed({ code, message: reason }: Pick<FetchFailure, 'code' | 'message'>): FetchReport {
    const result = OUTCOMES[code] ?? 'source_error';
    return { result, reason, target: this.host, details: { ...this.answer(), error: code } };
  }

  private answer() {
    return { status: this.status, bytes: this.bytes };
  }
}

interface Saved {
  posts: Pick<PreparedPosts, 'posts'>;
  added: PreparedPost[];
}
