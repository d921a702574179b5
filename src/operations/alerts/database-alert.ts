import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Config } from '../../platform/config.js';
import { CONFIG } from '../../platform/config.js';
import type { FoundAlert } from '../../platform/health/health-sections.js';
import type { Log } from '../../platform/log/log.js';
import { LOG } from '../../platform/log/log.js';
import { Clock } from '../../platform/time/clock.js';
import { Periodic } from '../../platform/time/periodic.js';
import { type AlertNotice, noticeOf } from './alert-notice.js';
import { AlertWebhook } from './alert-webhook.js';
import { nextTryAfterMs } from './notice-retries.js';

const INTERVAL_MS = 2_000;
/** As with other alerts: one that comes back sooner goes on. */
const OVER_AFTER_MS = 30_000;

interface Waiting {
  notice: AlertNotice;
  attempts: number;
  createdAtMs: number;
  nextTryAtMs: number;
}

/** That PostgreSQL is away cannot be kept in PostgreSQL: each process with the scheduler role tells it from memory. */
@Injectable()
export class DatabaseAlert implements OnApplicationBootstrap {
  private raised: { alert: FoundAlert; since: Date; seenAtMs: number } | undefined;
  private readonly waiting: Waiting[] = [];
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

  /** Since when it has been away. */
  away(alert: FoundAlert): Date {
    const now = this.clock.now();
    if (!this.raised) {
      this.log.warn({ alert: { code: alert.code, subject: alert.subject } }, alert.message);
      this.tell(alert, { since: now });
    }
    this.raised = { alert, since: this.raised?.since ?? now, seenAtMs: now.getTime() };
    return this.raised.since;
  }

  /** It answers. */
  back(): void {
    const now = this.clock.now();
    if (!this.raised || now.getTime() - this.raised.seenAtMs < OVER_AFTER_MS) return;
    const { alert, since } = this.raised;
    this.raised = undefined;
    this.log.info({ alert: { code: alert.code, subject: alert.subject } }, 'an alert is over');
    this.tell(alert, { since, clearedAt: now });
  }

  /** In order, one at a time. */
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

  private tell(alert: FoundAlert, times: { since: Date; clearedAt?: Date }): void {
    if (!this.isTold) return;
    const notice = noticeOf(alert, { ...times, publicUrl: this.config.publicUrl });
    const nowMs = this.clock.now().getTime();
    this.waiting.push({ notice, attempts: 0, createdAtMs: nowMs, nextTryAtMs: nowMs });
  }

  private isGivenUp(first: Waiting, reason: string): boolean {
    const nowMs = this.clock.now().getTime();
    first.attempts++;
    const afterMs = nextTryAfterMs({ attempts: first.attempts, ageMs: nowMs - first.createdAtMs });
    const { code, subject, event } = first.notice;
    const about = { alert: { code, subject, event }, attempts: first.attempts, reason };
    if (afterMs === undefined)
      this.log.error(about, 'the alert webhook has not taken a notice for a day: it is given up');
    else this.log.warn(about, 'the alert webhook did not take a notice, trying on');
    first.nextTryAtMs = nowMs + (afterMs ?? 0);
    return afterMs === undefined;
  }
}
