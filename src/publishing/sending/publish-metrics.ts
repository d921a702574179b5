import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/metrics/metrics.js';
import { platforms } from '../platforms.js';

const OUTCOMES = ['published', 'failed', 'unknown', 'expired'] as const;
const MINUTE = 60;
const HOUR = 3_600;

/** Counts the outcomes that Millrace decides. Later decisions of a person are not counted. */
@Injectable()
export class PublishMetrics {
  private readonly publications;
  private readonly lateness;

  constructor(metrics: Metrics) {
    const platform = platforms.map(({ name }) => name);
    this.publications = metrics.counter({
      name: 'publications_total',
      help: 'Publications that came to an end; unknown: nobody can tell whether they are out.',
      labels: ['platform', 'outcome'],
      known: { platform, outcome: OUTCOMES },
    });
    this.lateness = metrics.histogram({
      name: 'publish_lateness_seconds',
      help: 'From when a post was due until it was out.',
      labels: ['platform'],
      buckets: [1, 2, 5, 15, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR],
      known: { platform },
    });
  }

  published(platform: string, lateSeconds: number): void {
    this.publications.inc({ platform, outcome: 'published' });
    this.lateness.observe({ platform }, Math.max(0, lateSeconds));
  }

  ended({ platform }: { platform: string }, outcome: Exclude<(typeof OUTCOMES)[number], 'published'>): void {
    this.publications.inc({ platform, outcome });
  }
}
