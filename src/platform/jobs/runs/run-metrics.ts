import { Injectable } from '@nestjs/common';
import { Metrics } from '../../metrics/metrics.js';
import { Tally } from '../../metrics/tally.js';
import type { JobDefinition } from '../job-catalogue.js';
import { COMMON_RESULTS, type EndedWork } from '../work-result.js';
import { type EndedRun, OUTCOME_NAMES, type OutcomeName, outcomeName } from './ended-run.js';

const TOOK_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300];
const WAITED_SECONDS = [0.01, 0.1, 0.5, 1, 5, 30, 60, 300, 1_800];

class QueueRuns {
  readonly ended = Object.fromEntries(OUTCOME_NAMES.map((name) => [name, 0])) as Record<OutcomeName, number>;
  readonly took = new Tally(TOOK_SECONDS);
  readonly waited = new Tally(WAITED_SECONDS);
}

@Injectable()
export class RunMetrics {
  private readonly queues = new Map<string, QueueRuns>();
  private readonly work = new Map<string, Map<string, { kind: string; value: number }>>();

  constructor(metrics: Metrics) {
    metrics.registerComputed({
      name: 'jobs_total',
      help: 'Runs of jobs that ended; failed is for good, retried will be tried again.',
      type: 'counter',
      read: () =>
        [...this.queues].flatMap(([queue, { ended }]) =>
          Object.entries(ended).map(([outcome, value]) => ({ labels: { queue, outcome }, value })),
        ),
    });
    metrics.registerComputed({
      name: 'work_results_total',
      help: 'Runs of jobs by what came of their work; kind is success, failure or neutral.',
      type: 'counter',
      read: () =>
        [...this.work].flatMap(([feature, results]) =>
          [...results].map(([result, { kind, value }]) => ({ labels: { feature, result, kind }, value })),
        ),
    });
    metrics.registerComputed({
      name: 'job_duration_seconds',
      help: 'How long runs took.',
      type: 'histogram',
      read: (name) => [...this.queues].flatMap(([queue, { took }]) => took.shown(name, { queue })),
    });
    metrics.registerComputed({
      name: 'job_wait_seconds',
      help: 'From when a job was to run until it was.',
      type: 'histogram',
      read: (name) => [...this.queues].flatMap(([queue, { waited }]) => waited.shown(name, { queue })),
    });
  }

  /** Registers jobs whose runs may end in this process, so that their counters start at 0. */
  expect(definitions: Pick<JobDefinition, 'name' | 'feature'>[]): void {
    for (const { name, feature } of definitions) {
      this.of(name);
      const results = feature ? { ...feature.results, ...COMMON_RESULTS } : COMMON_RESULTS;
      for (const [result, kind] of Object.entries(results))
        if (!feature || result !== 'done') this.resultOf({ feature: feature?.name ?? name, result, kind });
    }
  }

  count({ queue, outcome, ms, waitedMs, work }: EndedRun): void {
    if (work && work.result !== null) this.resultOf({ ...work, result: work.result }).value += 1;
    const runs = this.of(queue);
    runs.ended[outcomeName(outcome)] += 1;
    runs.took.add(ms / 1_000);
    if (waitedMs !== null) runs.waited.add(waitedMs / 1_000);
  }

  private resultOf({ feature, result, kind }: Pick<EndedWork, 'feature' | 'kind'> & { result: string }) {
    const results = this.work.get(feature) ?? new Map<string, { kind: string; value: number }>();
    this.work.set(feature, results);
    const counted = results.get(result) ?? { kind, value: 0 };
    results.set(result, counted);
    return counted;
  }

  private of(queue: string): QueueRuns {
    const existing = this.queues.get(queue);
    if (existing) return existing;
    const runs = new QueueRuns();
    this.queues.set(queue, runs);
    return runs;
  }
}
