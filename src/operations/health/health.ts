import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { exhaustedLately, noteExhausted } from '../../platform/database/exhausted.js';
import type { FoundAlert } from '../../platform/health/health-sections.js';
import { JobHandlers } from '../../platform/jobs/job-handler.js';
import { Clock } from '../../platform/time/clock.js';
import { Periodic } from '../../platform/time/periodic.js';
import { withTimeout } from '../../platform/time/with-timeout.js';
import { DEPENDENCY_DOWN } from '../alerts/alert-codes.js';
import { aboutDependency, aboutExhausted, alertsOf } from '../alerts/alert-rules.js';
import { AlertsStore } from '../alerts/alerts.store.js';
import { DatabaseAlert } from '../alerts/database-alert.js';
import { judgedRuns, type RecentRuns } from '../alerts/error-rate.js';
import type { FeatureWork } from '../alerts/work-rules.js';
import { CanariesStore, type CanaryState } from '../canaries/canaries.store.js';
import { DeadLettersStore } from '../dead-letters/dead-letters.store.js';
import { type JobCounts, JobMinutesStore } from '../metrics/job-minutes.store.js';
import { WorkMinutesStore } from '../metrics/work-minutes.store.js';
import type { QueueView } from '../queues/queue-view.js';
import { Queues, rounded } from '../queues/queues.js';
import { ProcessReports } from '../workers/process-reports.js';
import { type KnownWorker, WorkersStore } from '../workers/workers.store.js';
import { countWorkers } from './count-workers.js';
import { Dependencies, type Dependency } from './dependencies.js';
import { type Alert, type HealthReport, type HealthStats, NO_STATS, statusOf } from './health-report.js';
import { RecentFacts } from './recent-facts.js';

const FRESH_MS = 2_000;
/** Health is computed this often, in milliseconds, even if nobody asks, so that the beginning of an alert is known. */
const INTERVAL_MS = 10_000;
const HOUR_MS = 3_600_000;
const FORGET_INTERVAL_MS = HOUR_MS;
/** Timeout in milliseconds. A server that hangs must not keep the next round from noticing it. */
const COMPUTE_TIMEOUT_MS = 15_000;
/** Callers are answered within about 1.5 seconds, which leaves as much again for the check of their key. */
const USUAL_COMPUTE_MS = 250;
const QUICK_CHECK_MS = 1_250;

interface HealthSnapshot {
  report: HealthReport;
  /** Undefined while the queues are unreachable. */
  queues?: QueueView[] | undefined;
}

/** Computes the state of the system at intervals for all callers. */
@Injectable()
export class Health implements OnApplicationBootstrap {
  private latest: (HealthSnapshot & { atMs: number }) | undefined;
  private computing: Promise<HealthSnapshot> | undefined;
  private stats = NO_STATS;
  private noWorkersSince: Date | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly periodic: Periodic,
    private readonly dependencies: Dependencies,
    private readonly workers: WorkersStore,
    private readonly reports: ProcessReports,
    private readonly canaries: CanariesStore,
    private readonly queues: Queues,
    private readonly minutes: JobMinutesStore,
    private readonly work: WorkMinutesStore,
    private readonly handlers: JobHandlers,
    private readonly facts: RecentFacts,
    private readonly letters: DeadLettersStore,
    private readonly alerts: AlertsStore,
    private readonly databaseAlert: DatabaseAlert,
  ) {}

  onApplicationBootstrap() {
    this.periodic.every(INTERVAL_MS, 'health', () => this.read());
    this.periodic.every(FORGET_INTERVAL_MS, 'old statistics', async () => {
      await this.minutes.forget(this.clock.now());
      await this.work.forget(this.clock.now());
      await this.workers.forget();
      await this.reports.forget();
      await this.canaries.forget();
    });
  }

  async read(): Promise<HealthReport> {
    return (await this.observe()).report;
  }

  async observe(): Promise<HealthSnapshot> {
    const nowMs = this.clock.now().getTime();
    if (this.latest && nowMs - this.latest.atMs < FRESH_MS) return this.latest;
    this.computing ??= withTimeout(this.compute(), COMPUTE_TIMEOUT_MS).finally(() => {
      this.computing = undefined;
    });
    const look = this.computing;
    const answered = new AbortController();
    try {
      return await Promise.race([look, this.lastKnown(look, answered.signal)]);
    } finally {
      answered.abort();
    }
  }

  /**
   * Answers callers while a hanging server delays the computation: the last known state, with the server that hangs.
   */
  private async lastKnown(computing: Promise<HealthSnapshot>, signal: AbortSignal): Promise<HealthSnapshot> {
    await sleep(USUAL_COMPUTE_MS, undefined, { ref: false, signal });
    const now = this.clock.now();
    const dependencies = await this.dependencies.check(QUICK_CHECK_MS);
    if (dependencies.some(({ status }) => status === 'down')) {
      const others = isDown(dependencies, 'postgres') ? [] : (this.latest?.report.alerts ?? []);
      return { report: this.withoutDatabase(now, dependencies, others) };
    }
    // All servers answer, so the computation only takes long.
    await sleep(QUICK_CHECK_MS, undefined, { ref: false, signal });
    return this.latest ?? computing;
  }

  private async compute(): Promise<HealthSnapshot> {
    const now = this.clock.now();
    const dependencies = await this.dependencies.check();
    const observed = isDown(dependencies, 'postgres')
      ? { report: this.withoutDatabase(now, dependencies) }
      : await this.withDatabase(now, dependencies).catch((error: unknown) => {
          if (!noteExhausted(error)) throw error;
          return { report: this.withoutDatabase(now, dependencies) };
        });
    this.latest = { atMs: now.getTime(), ...observed };
    return observed;
  }

  private async withDatabase(now: Date, dependencies: Dependency[]): Promise<HealthSnapshot> {
    this.databaseAlert.back();
    const counts = await this.minutes.counts(now);
    const [known, reports, canaries, work, queues, fetching, freshness, publishing, open, newDeadLetters] =
      await Promise.all([
        this.workers.known(),
        this.reports.read(),
        this.canaries.read(),
        this.work.recent(now),
        isDown(dependencies, 'redis') ? undefined : this.queues.list(counts),
        this.facts.section('fetching', now),
        this.facts.section('freshness', now),
        this.facts.section('publishing', now),
        this.letters.countOpen(),
        this.letters.countNew(new Date(now.getTime() - HOUR_MS)),
      ]);
    const workers = countWorkers(known);
    this.noWorkersSince = workers.available ? undefined : (this.noWorkersSince ?? now);
    const noneForMs = now.getTime() - (this.noWorkersSince ?? now).getTime();
    this.stats = {
      workers,
      // The sizes of the queues are unknown while they are unreachable.
      queues: { ...(queues ? sizes(queues) : this.stats.queues), failedLastHour: sum(counts, 'failedLastHour') },
      jobs: {
        donePerMinute: rounded(sum(counts, 'donePerMinute')),
        failedPerMinute: rounded(sum(counts, 'failedPerMinute')),
        errorRate: this.errorRate(work.all),
      },
      features: work.features.map((one) => this.toFeatureStats(one)),
      fetching: fetching?.stats ?? NO_STATS.fetching,
      freshness: freshness?.stats ?? NO_STATS.freshness,
      publishing: { ...(publishing?.stats ?? NO_STATS.publishing), pools: this.pools(known) },
      deadLetters: { open },
      dependencies,
      canaries: canaries.map(toCanaryStats),
    };
    const found = [
      ...alertsOf(
        {
          workers: { ...workers, noneForMs },
          processes: known,
          resolution: known.flatMap(({ isThere, resolutionProblem }) => (isThere && resolutionProblem) || []),
          reports,
          queues: queues ?? [],
          canaries,
          work: work.features,
          newDeadLetters,
          dependencies,
        },
        this.config.alerts,
      ),
      ...[fetching, freshness, publishing].flatMap((section) => section?.alerts ?? []),
      ...this.exhausted(this.databaseAlert.isRaised),
    ];
    const since = await this.alerts.seen(found);
    const alerts = found.map((alert, at) => toAlert(alert, since[at] ?? now));
    return { report: report({ now, stats: this.stats, alerts }), queues };
  }

  private errorRate(runs: RecentRuns): number {
    const { ended, endedBadly } = judgedRuns(runs, this.config.alerts.minRuns);
    return ended ? endedBadly / ended : 0;
  }

  private toFeatureStats({ feature, runs }: FeatureWork) {
    const { ended, endedBadly } = judgedRuns(runs, this.config.alerts.minRuns);
    return { feature, ended: Math.round(ended), failed: Math.round(endedBadly), errorRate: this.errorRate(runs) };
  }

  /** Adds up the pools of live processes as of their last heartbeat. */
  private pools(known: KnownWorker[]): HealthStats['publishing']['pools'] {
    const queues = this.handlers.queuesOf('publishing');
    const pools = known
      .filter(({ isThere }) => isThere)
      .flatMap(({ running }) => running.filter(({ queue }) => queues.includes(queue)));
    const busy = pools.reduce((all, { running }) => all + running, 0);
    const size = pools.reduce((all, { concurrency }) => all + concurrency, 0);
    return { busy, size, utilisation: size ? busy / size : null };
  }

  /**
   * While PostgreSQL is unreachable, and shortly after, requests time out waiting for a connection of the pool. That
   * is not a separate alert.
   */
  private exhausted(isDatabaseAway: boolean): FoundAlert[] {
    return exhaustedLately({ withPoolTimeouts: !isDatabaseAway }).map(aboutExhausted);
  }

  /** Reports the last known state. `others` are alerts of the last round that may still apply. */
  private withoutDatabase(now: Date, dependencies: Dependency[], others: Alert[] = []): HealthReport {
    const found = [...dependencies.flatMap(aboutDependency), ...this.exhausted(isDown(dependencies, 'postgres'))];
    const since = found.map((alert) => (alert.subject === 'postgres' ? this.databaseAlert.away(alert) : now));
    const stats = { ...this.stats, dependencies };
    const alerts = found.map((alert, at) => toAlert(alert, since[at] ?? now));
    const codes = new Set<string>([...found.map(({ code }) => code), DEPENDENCY_DOWN.code]);
    return report({ now, stats, alerts: [...alerts, ...others.filter(({ code }) => !codes.has(code))] });
  }
}

function report({ now, stats, alerts }: { now: Date; stats: HealthStats; alerts: Alert[] }): HealthReport {
  return { status: statusOf(alerts), checkedAt: now.toISOString(), stats, alerts: worstFirst(alerts) };
}

const worstFirst = (alerts: Alert[]) => alerts.toSorted((a, b) => rank(a) - rank(b) || (a.since < b.since ? -1 : 1));
const rank = ({ severity }: Alert) => (severity === 'critical' ? 0 : 1);

function toAlert({ code, subject, severity, message, link }: FoundAlert, since: Date): Alert {
  return { code, subject: subject ?? null, severity, message, since: since.toISOString(), link };
}

function toCanaryStats({ path, isPaused, returnedAgoMs, roundTripMs }: CanaryState) {
  const isKnown = !isPaused && returnedAgoMs !== null;
  return { queue: path, ageSeconds: isKnown ? Math.floor(returnedAgoMs / 1_000) : null, roundTripMs };
}

function isDown(dependencies: Dependency[], name: Dependency['name']): boolean {
  return dependencies.some((dependency) => dependency.name === name && dependency.status === 'down');
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
