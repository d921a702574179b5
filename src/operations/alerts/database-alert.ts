import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import type { FoundAlert } from '../../platform/health/health-sections.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { Clock } from '../../platform/time/clock.js';
import { Periodic } from '../../platform/time/periodic.js';
import { type AlertNotice, noticeOf } from './alert-notice.js';
import { AlertWebhook } from './alert-webhook.js';
import { nextTryAfterMs } from './notice-retries.js';

const INTERVAL_MS = 2_000;
/** An alert that returns within this time continues, as with the stored alerts (milliseconds). */
const OVER_AFTER_MS = 30_000;

interface PendingNotice {
  notice: AlertNotice;
  attempts: number;
  createdAtMs: number;
  nextTryAtMs: number;
}

/**
 * An outage of PostgreSQL cannot be recorded in PostgreSQL, so each process with the scheduler role reports it from
 * memory.
 */
@Injectable()
export class DatabaseAlert implements OnApplicationBootstrap {
  private raised: { alert: FoundAlert; since: Date; seenAtMs: number } | undefined;
  private readonly waiting: PendingNotice[] = [];
  private delivering: Promise<void> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
    private readonly clock: Clock,
    private readonly periodic: Periodic,
    private readonly webhook: AlertWebhook,
  ) {}

  onApplicationBootstrap() {
    if (this.isTold) this.periodic.every(INTERVAL_MS, 'webhook of the database', () => this.deliver());
  }

  private get isTold(): boolean {
    return this.webhook.isConfigured && this.config.roles.has('scheduler');
  }

  get isRaised(): boolean {
    return this.raised !== undefined;
  }

  /** Reports PostgreSQL as unreachable. Returns since when it has been. */
  away(alert: FoundAlert): Date {
    const now = this.clock.now();
    if (!this.raised) {
      this.log.warn({ event: 'alert_begun', alert: { code: alert.code, subject: alert.subject } }, alert.message);
      this.queueNotice(alert, { since: now });
    }
    this.raised = { alert, since: this.raised?.since ?? now, seenAtMs: now.getTime() };
    return this.raised.since;
  }

  /** Reports that PostgreSQL answers. */
  back(): void {
    const now = this.clock.now();
    if (!this.raised || now.getTime() - this.raised.seenAtMs < OVER_AFTER_MS) return;
    const { alert, since } = this.raised;
    this.raised = undefined;
    this.log.info({ event: 'alert_over', alert: { code: alert.code, subject: alert.subject } }, 'An alert is over');
    this.queueNotice(alert, { since, clearedAt: now });
  }

  /** Sends the notices in order, one at a time. */
  deliver(): Promise<void> {
    this.delivering ??= this.deliverAll().finally(() => {
      this.delivering = undefined;
    });
    return this.delivering;
  }

  private async deliverAll(): Promise<void> {
    for (let first = this.waiting[0]; first; first = this.waiting[0]) {
      if (this.clock.now().getTime() < first.nextTryAtMs) return;
      const failure = await this.webhook.send(first.notice);
      if (failure === undefined || this.isGivenUp(first, failure)) this.waiting.shift();
    }
  }

  private queueNotice(alert: FoundAlert, times: { since: Date; clearedAt?: Date }): void {
    if (!this.isTold) return;
    const notice = noticeOf(alert, { ...times, publicUrl: this.config.publicUrl });
    const nowMs = this.clock.now().getTime();
    this.waiting.push({ notice, attempts: 0, createdAtMs: nowMs, nextTryAtMs: nowMs });
  }

  private isGivenUp(first: PendingNotice, reason: string): boolean {
    const nowMs = this.clock.now().getTime();
    first.attempts++;
    const afterMs = nextTryAfterMs({ attempts: first.attempts, ageMs: nowMs - first.createdAtMs });
    const { code, subject, event } = first.notice;
    const about = { alert: { code, subject, event }, attempts: first.attempts, reason };
    if (afterMs === undefined)
      this.log.error(
        { event: 'alert_notice_dropped', ...about },
        'The alert webhook has not accepted a notice for a day, giving up',
      );
    else
      this.log.warn({ event: 'alert_notice_failed', ...about }, 'The alert webhook did not accept a notice, retrying');
    first.nextTryAtMs = nowMs + (afterMs ?? 0);
    return afterMs === undefined;
  }
}
