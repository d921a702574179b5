import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { within } from '../platform/broker/patience.js';
import { Clock } from '../platform/clock.js';
import type { Config } from '../platform/config.js';
import { CONFIG } from '../platform/config.token.js';
import type { FoundAlert } from '../platform/health/health-sections.js';
import { Periodic } from '../platform/periodic.js';
import { aboutDependency, alertsOf } from './alert-rules.js';
import { AlertsStore } from './alerts.store.js';
import { CanariesStore, type CanaryState } from './canaries.store.js';
import { countWorkers } from './count-workers.js';
import { DatabaseAlert } from './database-alert.js';
import { DeadLettersStore } from './dead-letters.store.js';
import { Dependencies, type Dependency } from './dependencies.js';
import { judgedRuns } from './error-rate.js';
import { type Alert, type HealthReport, type HealthStats, NO_STATS, statusOf } from './health-report.js';
import { type JobCounts, JobMinutesStore } from './job-minutes.store.js';
import type { QueueView } from './queue-view.js';
import { Queues, rounded } from './queues.js';
import { RecentFacts } from './recent-facts.js';
import { WorkersStore } from './workers.store.js';

const FRESH_MS = 2_000;
/** Also when nobody asks, so that it is known since when an alert has been there. */
const EVERY_MS = 10_000;
const FORGET_EVERY_MS = 3_600_000;
/** A server that hangs in the middle of a look must not keep the next one from finding that out. */
const LONGEST_LOOK_MS = 15_000;

/** What was found out at one moment. */
export interface Observed {
  report: HealthReport;
  /** Undefined while they are away. */
  queues?: QueueView[] | undefined;
}

/** Whether Millrace does its work, found out once in a while for all who ask. */
@Injectable()
export class Health implements OnApplicationBootstrap {
  private latest: (Observed & { atMs: number }) | undefined;
  private computing: Promise<Observed> | undefined;
  private stats = NO_STATS;
  private noWorkersSince: Date | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly periodic: Periodic,
    private readonly dependencies: Dependencies,
    private readonly workers: WorkersStore,
    private readonly canaries: CanariesStore,
    private readonly queues: Queues,
    private readonly minutes: JobMinutesStore,
    private readonly facts: RecentFacts,
    private readonly letters: DeadLettersStore,
    private readonly alerts: AlertsStore,
    private readonly databaseAlert: DatabaseAlert,
  ) {}

  onApplicationBootstrap() {
    this.periodic.every(EVERY_MS, 'health', () => this.read());
    this.periodic.every(FORGET_EVERY_MS, 'old statistics', async () => {
      await this.minutes.forget(this.clock.now());
      await this.workers.forget();
      await this.canaries.forget();
    });
  }

  async read(): Promise<HealthReport> {
    return (await this.observe()).report;
  }

  async observe(): Promise<Observed> {
    const nowMs = this.clock.now().getTime();
    if (this.latest && nowMs - this.latest.atMs < FRESH_MS) return this.latest;
    this.computing ??= within(LONGEST_LOOK_MS, this.compute()).finally(() => {
      this.computing = undefined;
    });
    return this.computing;
  }

  private async compute(): Promise<Observed> {
    const now = this.clock.now();
    const dependencies = await this.dependencies.check();
    const observed = isDown(dependencies, 'postgres')
      ? { report: this.withoutDatabase(now, dependencies) }
      : await this.withDatabase(now, dependencies);
    this.latest = { atMs: now.getTime(), ...observed };
    return observed;
  }

  private async withDatabase(now: Date, dependencies: Dependency[]): Promise<Observed> {
    this.databaseAlert.back();
    const counts = await this.minutes.counts(now);
    const [known, canaries, runs, queues, fetching, freshness, publishing, open] = await Promise.all([
      this.workers.known(),
      this.canaries.read(),
      this.minutes.recentRuns(now),
      isDown(dependencies, 'redis') ? undefined : this.queues.list(counts),
      this.facts.section('fetching', now),
      this.facts.section('freshness', now),
      this.facts.section('publishing', now),
      this.letters.countOpen(),
    ]);
    const workers = countWorkers(known);
    this.noWorkersSince = workers.available ? undefined : (this.noWorkersSince ?? now);
    const noneForMs = now.getTime() - (this.noWorkersSince ?? now).getTime();
    const { ended, endedBadly } = judgedRuns(runs);
    this.stats = {
      workers,
      // What lies in the queues is not known while they are away.
      queues: { ...(queues ? sizes(queues) : this.stats.queues), failedLastHour: sum(counts, 'failedLastHour') },
      jobs: {
        donePerMinute: rounded(sum(counts, 'donePerMinute')),
        failedPerMinute: rounded(sum(counts, 'failedPerMinute')),
        errorRate: ended ? endedBadly / ended : 0,
      },
      fetching: fetching?.stats ?? NO_STATS.fetching,
      freshness: freshness?.stats ?? NO_STATS.freshness,
      publishing: publishing?.stats ?? NO_STATS.publishing,
      deadLetters: { open },
      dependencies,
      canaries: canaries.map(toCanaryStats),
    };
    const found = [
      ...alertsOf(
        { workers: { ...workers, noneForMs }, processes: known, queues: queues ?? [], canaries, runs, dependencies },
        this.config.alerts,
      ),
      ...[fetching, freshness, publishing].flatMap((section) => section?.alerts ?? []),
    ];
    const since = await this.alerts.seen(found);
    const alerts = found.map((alert, at) => toAlert(alert, since[at] ?? now));
    return { report: report({ now, stats: this.stats, alerts }), queues };
  }

  /** With what was known last. */
  private withoutDatabase(now: Date, dependencies: Dependency[]): HealthReport {
    const found = dependencies.flatMap(aboutDependency);
    const since = found.map((alert) => (alert.subject === 'postgres' ? this.databaseAlert.away(alert) : now));
    const stats = { ...this.stats, dependencies };
    return report({ now, stats, alerts: found.map((alert, at) => toAlert(alert, since[at] ?? now)) });
  }
}

function report({ now, stats, alerts }: { now: Date; stats: HealthStats; alerts: Alert[] }): HealthReport {
  return { status: statusOf(alerts), checkedAt: now.toISOString(), stats, alerts: worstFirst(alerts) };
}

const worstFirst = (alerts: Alert[]) => alerts.toSorted((a, b) => rank(a) - rank(b) || (a.since < b.since ? -1 : 1));
const rank = ({ severity }: Alert) => (severity === 'critical' ? 0 : 1);

function toAlert({ code, severity, message, link }: FoundAlert, since: Date): Alert {
  return { code, severity, message, since: since.toISOString(), link };
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
  const total = (of: 'waiting' | 'active' | 'delayed') => queues.reduce((all, queue) => all + queue[of], 0);
  return { waiting: total('waiting'), active: total('active'), delayed: total('delayed') };
}
