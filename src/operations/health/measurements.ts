import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import type { FoundAlert } from '../../platform/health/alert-catalogue.js';
import { alertsOf } from '../alerts/alert-rules.js';
import { judgedRuns, type RecentRuns } from '../alerts/error-rate.js';
import type { FeatureWork } from '../alerts/work-rules.js';
import { CanariesStore, type CanaryState } from '../canaries/canaries.store.js';
import type { JobCounts } from '../metrics/run-counts.store.js';
import { type QueueView, rounded } from '../queues/queue-views.js';
import { type KnownWorker, WorkersStore } from '../workers/workers.store.js';
import type { Dependency } from './dependencies.js';
import { FeaturesHealth } from './features-health.js';
import { type HealthStats, NO_STATS } from './health-report.js';
import { JobFigures } from './job-figures.js';

interface Measurement {
  stats: HealthStats;
  alerts: FoundAlert[];
  /** Undefined while the queues are unreachable. */
  queues: QueueView[] | undefined;
}

/** Measuring needs PostgreSQL. */
@Injectable()
export class Measurements {
  latestStats = NO_STATS;
  private noWorkersSince: Date | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly workers: WorkersStore,
    private readonly canaries: CanariesStore,
    private readonly jobs: JobFigures,
    private readonly features: FeaturesHealth,
  ) {}

  async take(now: Date, dependencies: Dependency[]): Promise<Measurement> {
    const [processes, reports, canaries, jobs, features] = await Promise.all([
      this.workers.known(),
      this.workers.reports(),
      this.canaries.read(),
      this.jobs.read(now, dependencies),
      this.features.read(now),
    ]);
    const { counts, queues, rabbitmq, work, openLetters, newDeadLetters } = jobs;
    const { fetching, freshness, publishing } = features;
    const workers = countWorkers(processes);
    this.latestStats = {
      workers,
      // The sizes of the queues are unknown while they are unreachable.
      queues: {
        ...(queues ? sizes(queues) : this.latestStats.queues),
        failedLastHour: sum(counts, 'failedLastHour'),
      },
      jobs: {
        donePerMinute: rounded(sum(counts, 'donePerMinute')),
        failedPerMinute: rounded(sum(counts, 'failedPerMinute')),
        errorRate: this.errorRate(work.all),
      },
      features: work.features.map((one) => this.toFeatureStats(one)),
      fetching,
      freshness,
      publishing: { ...publishing, pools: poolsOf(processes, jobs.publishQueues) },
      deadLetters: { open: openLetters },
      dependencies,
      rabbitmq,
      canaries: canaries.map(toCanaryStats),
    };
    const state = {
      workers: { ...workers, noneForMs: this.withoutWorkersMs(now, workers.available) },
      processes,
      resolution: processes.flatMap(({ isThere, resolutionProblem }) => (isThere && resolutionProblem) || []),
      reports,
      queues: queues ?? [],
      brokerQueues: rabbitmq?.queues ?? [],
      canaries,
      work: work.features,
      newDeadLetters,
      dependencies,
    };
    return { stats: this.latestStats, queues, alerts: [...alertsOf(state, this.config.alerts), ...features.alerts] };
  }

  async forget(now: Date): Promise<void> {
    await this.jobs.forget(now);
    await this.workers.forget();
    await this.canaries.forget();
  }

  private withoutWorkersMs(now: Date, available: number): number {
    this.noWorkersSince = available ? undefined : (this.noWorkersSince ?? now);
    return now.getTime() - (this.noWorkersSince ?? now).getTime();
  }

  private errorRate(runs: RecentRuns): number {
    const { ended, endedBadly } = judgedRuns(runs, this.config.alerts.minRuns);
    return ended ? endedBadly / ended : 0;
  }

  private toFeatureStats({ feature, runs }: FeatureWork) {
    const { ended, endedBadly } = judgedRuns(runs, this.config.alerts.minRuns);
    return { feature, ended: Math.round(ended), failed: Math.round(endedBadly), errorRate: this.errorRate(runs) };
  }
}

/** A dead process is missed until another has started in its place. */
export function countWorkers(known: Pick<KnownWorker, 'isThere' | 'startedAt' | 'lastSeenAt'>[]) {
  const there = known.filter(({ isThere }) => isThere).map(({ startedAt }) => startedAt.getTime());
  const newest = there.toSorted((a, b) => b - a);
  const died = known.filter(({ isThere }) => !isThere).map(({ lastSeenAt }) => lastSeenAt.getTime());
  // The last death is matched with the last start: if that start was too early, so were all others.
  let replaced = 0;
  for (const lastSeen of died.toSorted((a, b) => b - a)) if ((newest[replaced] ?? 0) > lastSeen) replaced++;
  return { available: there.length, expected: there.length + died.length - replaced };
}

function poolsOf(known: KnownWorker[], queues: string[]): HealthStats['publishing']['pools'] {
  const pools = known
    .filter(({ isThere }) => isThere)
    .flatMap(({ running }) => running.filter(({ queue }) => queues.includes(queue)));
  const busy = pools.reduce((all, { running }) => all + running, 0);
  const size = pools.reduce((all, { concurrency }) => all + concurrency, 0);
  return { busy, size, utilisation: size ? busy / size : null };
}

function toCanaryStats({ path, isPaused, returnedAgoMs, roundTripMs }: CanaryState) {
  const isKnown = !isPaused && returnedAgoMs !== null;
  return { queue: path, ageSeconds: isKnown ? Math.floor(returnedAgoMs / 1_000) : null, roundTripMs };
}

function sum(counts: Map<string, JobCounts>, of: keyof JobCounts): number {
  return [...counts.values()].reduce((total, count) => total + count[of], 0);
}

function sizes(queues: QueueView[]) {
  const total = (of: 'waiting' | 'waitingRows' | 'active' | 'delayed') =>
    queues.reduce((all, queue) => all + queue[of], 0);
  return {
    waiting: total('waiting'),
    waitingRows: total('waitingRows'),
    active: total('active'),
    delayed: total('delayed'),
  };
}
