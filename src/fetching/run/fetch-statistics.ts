import { Injectable } from '@nestjs/common';
import { RunHistory } from '../../platform/jobs/runs/run-history.js';
import type { WorkReport } from '../../platform/jobs/work-result.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import type { PostTime } from '../../posts/post.js';
import type { FetchResult } from '../fetcher.js';
import { FreshnessHours } from '../freshness-figures/freshness-hours.js';
import { SourceCatalogue } from '../source-catalogue.js';
import { isScheduled } from './after-success.js';
import { fetchDelaySeconds } from './fetch-delay.js';
import type { FetchedSource } from './fetch-jobs.js';
import { type FetchCause, type FetchOutcome, fetching } from './fetch-jobs.js';

const OUTCOMES = ['new', 'unchanged', 'not_modified', 'failed', 'postponed'] as const;
const MINUTE = 60;
const HOUR = 3_600;

type SourceInfo = Pick<FetchedSource, 'type' | 'createdAt'>;
type CountedSource = SourceInfo & Pick<FetchedSource, 'activeFollowers' | 'lastFetchAt' | 'jobPriority' | 'jobOwner'>;

interface FetchCounts {
  first: FetchResult;
  added: PostTime[];
  foundAt: Date;
}

interface OtherFetch {
  source: Pick<FetchedSource, 'id' | 'type'>;
  cause: FetchCause;
  startedAt: Date;
  report: WorkReport & { result: FetchOutcome };
}

@Injectable()
export class FetchStatistics {
  private readonly fetches;
  private readonly delays;
  private readonly posts;
  private readonly saved;

  constructor(
    metrics: Metrics,
    { fetchers }: SourceCatalogue,
    private readonly hours: FreshnessHours,
    private readonly history: RunHistory,
  ) {
    const type = fetchers.map((fetcher) => fetcher.type);
    this.fetches = metrics.counter({
      name: 'fetches_total',
      help: 'Fetches of sources by what came of them; not_modified is a 304, postponed was not asked for.',
      labels: ['type', 'outcome'],
      known: { type, outcome: OUTCOMES },
    });
    this.delays = metrics.histogram({
      name: 'fetch_delay_seconds',
      help: 'From the publication of a post to its discovery, of posts that are younger than their source is known.',
      labels: ['type'],
      buckets: [5, 15, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 4 * HOUR],
      known: { type },
    });
    this.posts = metrics.counter({
      name: 'posts_found_total',
      help: 'Posts that were new.',
      labels: ['type'],
      known: { type },
    });
    this.saved = metrics.counter({
      name: 'requests_saved_total',
      help: 'Pages that need not be sent again (304), and fetches that one for each active follower would have cost more.',
      labels: ['reason'],
      known: { reason: ['not_modified', 'shared'] },
    });
  }

  succeeded(source: CountedSource, { first, added, foundAt }: FetchCounts): void {
    const { type, createdAt: knownSince } = source;
    const notModified = 'unchanged' in first && first.notModified;
    const nothingNew = notModified ? 'not_modified' : 'unchanged';
    this.asked(source, { outcome: added.length ? 'new' : nothingNew, isLast: true });
    if (notModified) this.saved.inc({ reason: 'not_modified' });
    this.found(type, { added, foundAt, knownSince });
  }

  pushed({ type, createdAt: knownSince }: SourceInfo, { added, foundAt }: Omit<FetchCounts, 'first'>): void {
    this.found(type, { added, foundAt, knownSince });
  }

  /** A failure that is not the last attempt is retried and does not count as a scheduled fetch. */
  failed(source: CountedSource, { isLast }: { isLast: boolean }): void {
    this.asked(source, { outcome: 'failed', isLast });
  }

  postponed({ type }: SourceInfo): void {
    this.fetches.inc({ type, outcome: 'postponed' });
  }

  log({ source, cause, startedAt, report }: OtherFetch): void {
    const kind = fetching.results[report.result];
    this.history.add({
      queue: `fetch-${source.type}`,
      jobId: cause,
      subject: source.id,
      attempt: 1,
      outcome: { kind: 'done' },
      startedAt,
      waitedMs: null,
      ms: Math.max(0, Date.now() - startedAt.getTime()),
      work: { ...report, feature: fetching.name, kind, cause },
    });
  }

  private found(type: string, { added, foundAt, knownSince }: Omit<FetchCounts, 'first'> & { knownSince: Date }): void {
    this.posts.inc({ type }, added.length);
    for (const { publishedAt, dated } of added) {
      const seconds = fetchDelaySeconds({ publishedAt, dated, foundAt, knownSince });
      if (seconds === undefined) continue;
      this.delays.observe({ type }, seconds);
      this.hours.found(seconds);
    }
  }

  private asked(
    source: CountedSource,
    { outcome, isLast }: { outcome: (typeof OUTCOMES)[number]; isLast: boolean },
  ): void {
    const { type, activeFollowers } = source;
    this.fetches.inc({ type, outcome });
    this.saved.inc({ reason: 'shared' }, Math.max(0, activeFollowers - 1));
    this.hours.asked({ broughtNews: outcome === 'new', isScheduled: isLast && isScheduled(source), activeFollowers });
  }
}
