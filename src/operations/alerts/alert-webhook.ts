import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { signatureHeaders } from '../../platform/http/webhook-signature.js';
import { userAgent } from '../../platform/process/version.js';
import { databaseTime } from '../../platform/time/database-time.js';
import type { AlertNotice } from './alert-notice.js';
import { NoticeMetrics } from './notice-metrics.js';

const TIMEOUT_MS = 5_000;

/**
 * Posts to the alert webhook. The operator configures its URL, which may be private, so the address guard is not
 * applied.
 */
@Injectable()
export class AlertWebhook {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly metrics: NoticeMetrics,
  ) {}

  get isConfigured(): boolean {
    return this.config.alertWebhook !== undefined;
  }

  /**
   * Returns why the notice was not accepted, or undefined if it was. The text does not contain the URL, whose path is
   * often secret.
   */
  async send(notice: AlertNotice): Promise<string | undefined> {
    const failure = await this.post(notice).catch(describeFailure);
    this.metrics.count(failure === undefined ? 'delivered' : 'failed');
    return failure;
  }

  private async post(notice: AlertNotice): Promise<string | undefined> {
    const { alertWebhook = '', alertSecret = '', contactUrl } = this.config;
    const { url, authorization } = withoutCredentials(alertWebhook);
    const body = JSON.stringify(notice);
    const { status, body: answer } = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        'content-type': 'application/json',
        'user-agent': userAgent(contactUrl),
        'idempotency-key': notice.id,
        ...(authorization && { authorization }),
        ...signatureHeaders(body, alertSecret, databaseTime.now()),
      },
    });
    await answer?.cancel();
    return status >= 200 && status < 300 ? undefined : `it answered ${status}`;
  }
}

/** `fetch` rejects URLs with credentials. */
function withoutCredentials(address: string): { url: URL; authorization?: string } {
  const url = new URL(address);
  const { username, password } = url;
  if (!username && !password) return { url };
  url.username = '';
  url.password = '';
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { url, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

function describeFailure(error: unknown): string {
  const { cause, name, message } = error as Error;
  if (name === 'TimeoutError') return `it did not answer within ${TIMEOUT_MS / 1_000} seconds`;
  return cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : message;
}
