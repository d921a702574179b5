import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/metrics/metrics.js';
import type { FetchResult } from '../fetcher.js';
import { FreshnessHours } from '../freshness-figures/freshness-hours.js';
import { SourceCatalogue } from '../source-catalogue.js';
import { isScheduled } from './after-success.js';
import { fetchDelaySeconds } from './fetch-delay.js';
import type { FetchedSource } from './fetch-states.store.js';

const OUTCOMES = ['new', 'unchanged', 'not_modified', 'failed', 'postponed'] as const;
const MINUTE = 60;
const HOUR = 3_600;

type Known = Pick<FetchedSource, 'type' | 'createdAt'>;
type Fetched = Known & Pick<FetchedSource, 'activeFollowers' | 'lastFetchAt' | 'jobPriority' | 'jobOwner'>;

interface Found {
  first: FetchResult;
  /** Posts that are new. */
  added: { publishedAt: Date }[];
  foundAt: Date;
}

/** Counts fetches, and what they bring: for Prometheus, and by the hour. */
@Injectable()
export class FetchMetrics {
  private readonly fetches;
  private readonly delays;
  private readonly posts;
  private readonly saved;

  constructor(
    metrics: Metrics,
    { fetchers }: SourceCatalogue,
    private readonly hours: FreshnessHours,
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

  succeeded(source: Fetched, { first, added, foundAt }: Found): void {
    const { type, createdAt: knownSince } = source;
    const notModified = 'unchanged' in first && first.notModified;
    const nothingNew = notModified ? 'not_modified' : 'unchanged';
    this.asked(source, { outcome: added.length ? 'new' : nothingNew, isLast: true });
    if (notModified) this.saved.inc({ reason: 'not_modified' });
    this.found(type, { added, foundAt, knownSince });
  }

  /** What came without a fetch. */
  pushed({ type, createdAt: knownSince }: Known, { added, foundAt }: Omit<Found, 'first'>): void {
    this.found(type, { added, foundAt, knownSince });
  }

  /** Who is not at its last attempt tries again, and counts for its schedule only then. */
  failed(source: Fetched, { isLast }: { isLast: boolean }): void {
    this.asked(source, { outcome: 'failed', isLast });
  }

  postponed({ type }: Known): void {
    this.fetches.inc({ type, outcome: 'postponed' });
  }

  private found(type: string, { added, foundAt, knownSince }: Omit<Found, 'first'> & { knownSince: Date }): void {
    this.posts.inc({ type }, added.length);
    for (const { publishedAt } of added) {
      const seconds = fetchDelaySeconds({ publishedAt, foundAt, knownSince });
      if (seconds === undefined) continue;
      this.delays.observe({ type }, seconds);
      this.hours.found(seconds);
    }
  }

  private asked(source: Fetched, { outcome, isLast }: { outcome: (typeof OUTCOMES)[number]; isLast: boolean }): void {
    const { type, activeFollowers } = source;
    this.fetches.inc({ type, outcome });
    this.saved.inc({ reason: 'shared' }, Math.max(0, activeFollowers - 1));
    this.hours.asked({ broughtNews: outcome === 'new', isScheduled: isLast && isScheduled(source), activeFollowers });
  }
}
