import { expect, vi } from 'vitest';
import type { AlertNotice } from '../../src/operations/alerts/alert-webhook.js';
import type { HealthReport } from '../../src/operations/health/health-report.js';
import { ask } from '../program/api-client.js';
import type { Environment } from '../program/millrace-process.js';
import { AlertReceiver } from './alert-receiver.js';
import { FLEET_KEY, Fleet } from './fleet.js';

/** The documented limit: an alert starts within a minute of its cause. */
const WITHIN_A_MINUTE = { timeout: 60_000, interval: 250 };
/** An alert ends by itself if its cause has not returned for some time. */
const UNTIL_CLEARED = { timeout: 120_000, interval: 250 };

export interface WantedAlert {
  code: string;
  severity: 'warning' | 'critical';
  subject: string | null;
  /** A piece of the sentence that people read. Undefined if the API cannot identify callers, so that nobody can look. */
  says?: string;
}

/** Workers and an API process with default settings, and a receiver of their alerts. */
export class WatchedFleet {
  private constructor(
    /** The workers, followed by the API process. */
    readonly processes: Fleet,
    readonly receiver: AlertReceiver,
  ) {}

  static async start(environment: Environment, workers: number): Promise<WatchedFleet> {
    const receiver = await AlertReceiver.start();
    const fleet = new Fleet({ ...environment, ...receiver.environment }, Array(workers).fill('worker'));
    await fleet.ready();
    await fleet.add('api,scheduler');
    const watched = new WatchedFleet(fleet, receiver);
    expect([await watched.alerts(), receiver.notices]).toEqual([[], []]);
    return watched;
  }

  async post(path: string, body: object = {}): Promise<void> {
    const answer = await ask(`${this.processes.apiAddresses()[0]}/api/v1${path}`, { key: FLEET_KEY, body });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  }

  /** Call this right after the cause. The report is read after the notice, because reading it speeds the alert up. */
  async raised(wanted: WantedAlert): Promise<string> {
    const seconds = stopwatch();
    await vi.waitFor(() => this.hear(wanted, 'raised'), WITHIN_A_MINUTE);
    const told = seconds();
    await vi.waitFor(() => this.look(wanted, 'raised'), WITHIN_A_MINUTE);
    return `told after ${told} s`;
  }

  /** Call this right after the cause has ended. */
  async cleared(wanted: WantedAlert): Promise<string> {
    const seconds = stopwatch();
    await vi.waitFor(() => this.look(wanted, 'cleared'), UNTIL_CLEARED);
    const seen = seconds();
    await vi.waitFor(() => this.hear(wanted, 'cleared'), UNTIL_CLEARED);
    return `gone after ${seen} s, which was reported after ${seconds()} s`;
  }

  private async look({ code, severity, says }: WantedAlert, event: AlertNotice['event']): Promise<void> {
    if (says === undefined) return;
    const alerts = await this.alerts();
    const isThere = alerts.some(
      (alert) => alert.code === code && alert.severity === severity && alert.message.includes(says),
    );
    if (isThere !== (event === 'raised')) throw new Error(`${code} not ${event}, seen: ${JSON.stringify(alerts)}`);
  }

  private hear({ code, severity, subject }: WantedAlert, event: AlertNotice['event']): void {
    const { notices } = this.receiver;
    const last = notices.findLast((notice) => notice.code === code && notice.subject === subject);
    if (last?.event !== event || last.severity !== severity)
      throw new Error(`${code} not ${event}, told: ${JSON.stringify(notices)}`);
  }

  private async alerts(): Promise<HealthReport['alerts']> {
    const answer = await ask(`${this.processes.apiAddresses()[0]}/api/v1/health`, { key: FLEET_KEY });
    if (!answer.ok) throw new Error(`health was answered with ${answer.status}`);
    return ((await answer.json()) as HealthReport).alerts;
  }
}

function stopwatch(): () => number {
  const since = Date.now();
  return () => Math.round((Date.now() - since) / 100) / 10;
}
