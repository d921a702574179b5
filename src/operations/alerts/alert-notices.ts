import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { LOG, type Log } from '../../platform/log/log.js';
import { Periodic } from '../../platform/time/periodic.js';
import { AlertNoticesStore, type TakenNotice } from './alert-notices.store.js';
import { AlertWebhook } from './alert-webhook.js';
import { nextTryAfterMs } from './notice-retries.js';

const INTERVAL_MS = 2_000;
const FORGET_INTERVAL_MS = 3_600_000;

/**
 * Sends alerts to the webhook without the queue, which may be what is broken. Processes share the notices through the
 * table.
 */
@Injectable()
export class AlertNotices implements OnApplicationBootstrap {
  constructor(
    @Inject(LOG) private readonly log: Log,
    private readonly periodic: Periodic,
    private readonly store: AlertNoticesStore,
    private readonly webhook: AlertWebhook,
  ) {}

  onApplicationBootstrap() {
    if (this.webhook.isConfigured) this.periodic.every(INTERVAL_MS, 'alert webhook', () => this.deliver());
    this.periodic.every(FORGET_INTERVAL_MS, 'old notices', () => this.store.forget());
  }

  async deliver(): Promise<void> {
    for (let taken = await this.store.take(); taken.length; taken = await this.store.take())
      await Promise.all(taken.map((notice) => this.attempt(notice)));
  }

  private async attempt({ id, body, attempts, ageMs }: TakenNotice): Promise<void> {
    const failure = await this.webhook.send(body);
    if (failure === undefined) return this.store.remove(id);
    const { code, subject, event } = body;
    const about = { alert: { code, subject, event }, attempts, reason: failure };
    const afterMs = nextTryAfterMs({ attempts, ageMs });
    if (afterMs !== undefined) {
      this.log.warn({ event: 'alert_notice_failed', ...about }, 'The alert webhook did not accept a notice, retrying');
      return this.store.tryAgain(id, afterMs);
    }
    this.log.error(
      { event: 'alert_notice_dropped', ...about },
      'The alert webhook has not accepted a notice for a day, giving up',
    );
    return this.store.remove(id);
  }
}
