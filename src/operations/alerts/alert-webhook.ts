import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import type { FoundAlert } from '../../platform/health/alert-catalogue.js';
import { describeFailure, requestConfigured } from '../../platform/http/configured-request.js';
import { signatureHeaders } from '../../platform/http/webhook-signature.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { databaseTime } from '../../platform/time/database-time.js';

const TIMEOUT_MS = 5_000;

export interface AlertNotice {
  type: 'alert';
  event: 'raised' | 'cleared';
  /** Equal in every repeat. */
  id: string;
  code: string;
  /** Distinguishes several alerts of one code, such as a queue. */
  subject: string | null;
  severity: FoundAlert['severity'];
  message: string;
  since: string;
  clearedAt?: string;
  link: string | null;
  source: string | null;
}

interface NoticeDetails {
  since: Date;
  clearedAt?: Date | undefined;
  publicUrl: string | undefined;
}

export function noticeOf(alert: FoundAlert, { since, clearedAt, publicUrl }: NoticeDetails): AlertNotice {
  const { code, subject = null, severity, message, link } = alert;
  return {
    type: 'alert',
    event: clearedAt ? 'cleared' : 'raised',
    id: randomUUID(),
    code,
    subject,
    severity,
    message,
    since: since.toISOString(),
    ...(clearedAt && { clearedAt: clearedAt.toISOString() }),
    link: link && publicUrl ? new URL(link, publicUrl).href : link,
    source: publicUrl ?? null,
  };
}

@Injectable()
export class AlertWebhook {
  private readonly notices;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    metrics: Metrics,
  ) {
    this.notices = metrics.counter({
      name: 'alert_notices_total',
      help: 'Attempts to send an alert to the webhook. Failed ones are repeated.',
      labels: ['outcome'],
      known: { outcome: ['delivered', 'failed'] },
    });
  }

  get isConfigured(): boolean {
    return this.config.alertWebhook !== undefined;
  }

  /** Returns why the notice was not accepted, without the URL, whose path is often secret. */
  async send(notice: AlertNotice): Promise<string | undefined> {
    const failure = await this.post(notice).catch((error) => describeFailure(error, TIMEOUT_MS));
    this.notices.inc({ outcome: failure === undefined ? 'delivered' : 'failed' });
    return failure;
  }

  private async post(notice: AlertNotice): Promise<string | undefined> {
    const { alertWebhook = '', alertSecret = '', contactUrl } = this.config;
    const body = JSON.stringify(notice);
    const { status, body: answer } = await requestConfigured(alertWebhook, {
      method: 'POST',
      body,
      timeoutMs: TIMEOUT_MS,
      contactUrl,
      headers: {
        'content-type': 'application/json',
        'idempotency-key': notice.id,
        ...signatureHeaders(body, alertSecret, databaseTime.now()),
      },
    });
    await answer?.cancel();
    return status >= 200 && status < 300 ? undefined : `it answered ${status}`;
  }
}
