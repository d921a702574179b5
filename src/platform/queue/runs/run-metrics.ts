import { Injectable } from '@nestjs/common';
import { Metrics } from '../../metrics/metrics.js';
import { startAtZero } from '../../metrics/start-at-zero.js';
import { type EndedRun, OUTCOME_NAMES, outcomeName } from './ended-run.js';

/** Counts runs for Prometheus. */
@Injectable()
export class RunMetrics {
  private readonly ended;
  private readonly took;
  private readonly waited;

  constructor(metrics: Metrics) {
    this.ended = metrics.counter({
      name: 'jobs_total',
      help: 'Runs of jobs that ended; failed is for good, retried will be tried again.',
      labels: ['queue', 'outcome'],
    });
    this.took = metrics.histogram({
      name: 'job_duration_seconds',
      help: 'How long runs took.',
      labels: ['queue'],
      buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300],
    });
    this.waited = metrics.histogram({
      name: 'job_wait_seconds',
      help: 'From when a job was to run until it was.',
      labels: ['queue'],
      buckets: [0.01, 0.1, 0.5, 1, 5, 30, 60, 300, 1_800],
    });
  }

  /** Runs of these queues may end here. */
  expect(queue: string[]): void {
    startAtZero(this.ended, { queue, outcome: OUTCOME_NAMES });
    startAtZero(this.took, { queue });
    startAtZero(this.waited, { queue });
  }

  count({ queue, outcome, ms, waitedMs }: EndedRun): void {
    this.ended.inc({ queue, outcome: outcomeName(outcome) });
    this.took.observe({ queue }, ms / 1_000);
    if (waitedMs !== null) this.waited.observe({ queue }, waitedMs / 1_000);
  }
}
