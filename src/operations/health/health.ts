import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { exhaustedLately, noteExhausted } from '../../platform/database/exhausted.js';
import type { FoundAlert } from '../../platform/health/alert-catalogue.js';
import { Clock } from '../../platform/time/clock.js';
import { Periodic } from '../../platform/time/periodic.js';
import { withTimeout } from '../../platform/time/with-timeout.js';
import { DEPENDENCY_DOWN } from '../alerts/alert-codes.js';
import { aboutDependency, aboutExhausted } from '../alerts/alert-rules.js';
import { AlertsStore } from '../alerts/alerts.store.js';
import type { QueueView } from '../queues/queue-views.js';
import { Dependencies, type Dependency, isDown } from './dependencies.js';
import { type Alert, type HealthReport, type HealthStats, statusOf } from './health-report.js';
import { Measurements } from './measurements.js';

const FRESH_MS = 2_000;
/** Health is computed this often, in milliseconds, even if nobody asks, so that the beginning of an alert is known. */
const INTERVAL_MS = 10_000;
const FORGET_INTERVAL_MS = 3_600_000;
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

@Injectable()
export class Health implements OnApplicationBootstrap {
  private latest: (HealthSnapshot & { atMs: number }) | undefined;
  private computing: Promise<HealthSnapshot> | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly periodic: Periodic,
    private readonly dependencies: Dependencies,
    private readonly measurements: Measurements,
    private readonly alerts: AlertsStore,
  ) {}

  onApplicationBootstrap() {
    this.periodic.every(INTERVAL_MS, 'health', () => this.read());
    this.periodic.every(FORGET_INTERVAL_MS, 'old statistics', () => this.measurements.forget(this.clock.now()));
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

  /** Answers while a hanging server delays the computation: the last known state, and which server hangs. */
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
    this.alerts.databaseBack();
    const { stats, queues, alerts } = await this.measurements.take(now, dependencies);
    const found = [...alerts, ...this.exhausted(this.alerts.isDatabaseAway)];
    const since = await this.alerts.seen(found);
    const shown = found.map((alert, at) => toAlert(alert, since[at] ?? now));
    return { report: report({ now, stats, alerts: shown }), queues };
  }

  /** Requests wait in vain for a connection while PostgreSQL is away, which is not a separate alert. */
  private exhausted(isDatabaseAway: boolean): FoundAlert[] {
    return exhaustedLately({ withPoolTimeouts: !isDatabaseAway }).map(aboutExhausted);
  }

  /** Reports the last known state. `others` are alerts of the last round that may still apply. */
  private withoutDatabase(now: Date, dependencies: Dependency[], others: Alert[] = []): HealthReport {
    const found = [...dependencies.flatMap(aboutDependency), ...this.exhausted(isDown(dependencies, 'postgres'))];
    const since = found.map((alert) => (alert.subject === 'postgres' ? this.alerts.databaseAway(alert) : now));
    const stats = { ...this.measurements.latestStats, dependencies };
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
