import { Injectable } from '@nestjs/common';
import { Metrics } from '../../metrics/metrics.js';
import { Tally } from '../../metrics/tally.js';
import { type EndedRun, OUTCOME_NAMES, type OutcomeName, outcomeName } from './ended-run.js';

const TOOK_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300];
const WAITED_SECONDS = [0.01, 0.1, 0.5, 1, 5, 30, 60, 300, 1_800];

/** Of one queue. */
class QueueRuns {
  readonly ended = Object.fromEntries(OUTCOME_NAMES.map((name) => [name, 0])) as Record<OutcomeName, number>;
  readonly took = new Tally(TOOK_SECONDS);
  readonly waited = new Tally(WAITED_SECONDS);
}

/** Counts runs for Prometheus. */
@Injectable()
export class RunMetrics {
  private readonly queues = new Map<string, QueueRuns>();

  constructor(metrics: Metrics) {
    metrics.told({
      name: 'jobs_total',
      help: 'Runs of jobs that ended; failed is for good, retried will be tried again.',
      type: 'counter',
      read: () =>
        [...this.queues].flatMap(([queue, { ended }]) =>
          Object.entries(ended).map(([outcome, value]) => ({ labels: { queue, outcome }, value })),
        ),
    });
    metrics.told({
      name: 'job_duration_seconds',
      help: 'How long runs took.',
      type: 'histogram',
      read: (name) => [...this.queues].flatMap(([queue, { took }]) => took.shown(name, { queue })),
    });
    metrics.told({
      name: 'job_wait_seconds',
      help: 'From when a job was to run until it was.',
      type: 'histogram',
      read: (name) => [...this.queues].flatMap(([queue, { waited }]) => waited.shown(name, { queue })),
    });
  }

  /** Runs of these queues may end here. */
  expect(queues: string[]): void {
    for (const queue of queues) this.of(queue);
  }

  count({ queue, outcome, ms, waitedMs }: EndedRun): void {
    const runs = this.of(queue);
    runs.ended[outcomeName(outcome)] += 1;
    runs.took.add(ms / 1_000);
    if (waitedMs !== null) runs.waited.add(waitedMs / 1_000);
  }

  private of(queue: string): QueueRuns {
    const known = this.queues.get(queue);
    if (known) return known;
    const runs = new QueueRuns();
    this.queues.set(queue, runs);
    return runs;
  }
}
