import { STATUS_CODES } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { eq } from 'drizzle-orm';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database } from '../../platform/database/database.js';
import { HttpClient } from '../../platform/http/http-client.js';
import { joinUrl } from '../../platform/http/web-address.js';
import { Handles, type JobHandler, type JobRun } from '../../platform/jobs/job-handler.js';
import { Clock } from '../../platform/time/clock.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { failureOf, isHostsFault } from '../run/fetch-failure.js';
import { type AskHubJob, askHubJob } from './ask-hub.job.js';
import { fewWords } from './few-words.js';
import { type Change, failed, isGivenUp, refused, taken, unwanted } from './subscription-rules.js';
import { SubscriptionsStore } from './subscriptions.store.js';
import type { Subscription } from './subscriptions.table.js';

const HOST_BUSY_MS = 5_000;
/** Maximum size of a hub's response, which is only shown as an error message (bytes). */
const MAX_ANSWER_LENGTH = 100_000;

/** The hub verifies a request later by a request of its own. */
@Injectable()
@Handles((config) => (config.publicUrl ? [askHubJob] : []))
export class AskHubWorker implements JobHandler<AskHubJob> {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly store: SubscriptionsStore,
    private readonly http: HttpClient,
    private readonly clock: Clock,
  ) {}

  async run({ subscriptionId }: AskHubJob, run: JobRun) {
    const subscription = await this.store.find(subscriptionId);
    if (!subscription) return;
    const change = await this.ask(subscription, run.signal);
    await this.store.change(subscriptionId, (held) => {
      if (!isUnchanged(held, subscription)) return undefined;
      return isGivenUp({ ...held, ...change }, this.config) ? 'gone' : change;
    });
  }

  private async ask(subscription: Subscription, signal: AbortSignal): Promise<Change> {
    const now = this.clock.now();
    if (subscription.state !== 'ending' && !(await this.isWanted(subscription))) return unwanted();
    if (subscription.askedAt) return this.failure(subscription, 'the hub took the request and did not verify it');
    try {
      return await this.send(subscription, signal);
    } catch (error) {
      if (isHostsFault(error)) return { askAt: error.until ?? new Date(now.getTime() + HOST_BUSY_MS) };
      const failure = failureOf(error);
      if (!failure) throw error;
      return this.failure(subscription, failure.message);
    }
  }

  private async send(subscription: Subscription, signal: AbortSignal): Promise<Change> {
    const { hubUrl } = subscription;
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/plain, */*;q=0.1' };
    const body = this.requestForm(subscription).toString();
    const request = { method: 'POST', headers, body, signal, maxBytes: MAX_ANSWER_LENGTH } as const;
    const response = await this.http.request(hubUrl, request);
    const { status, retryAfter } = response;
    const now = this.clock.now();
    if (status >= 200 && status < 300) return taken(now);
    const words = fewWords(response.text(), subscription);
    const reason = `the hub answered ${status} ${words || (STATUS_CODES[status] ?? '')}`.trim();
    const willNot = status >= 400 && status < 500 && status !== 408 && status !== 429;
    if (willNot && subscription.state !== 'ending') return refused(subscription, reason, now);
    const change = this.failure(subscription, reason);
    return retryAfter ? { ...change, askAt: retryAfter } : change;
  }

  private failure(subscription: Subscription, reason: string): Change {
    return failed(subscription, { reason, now: this.clock.now() }, this.config);
  }

  private requestForm({ state, topicUrl, token, secret }: Subscription): URLSearchParams {
    const callback = joinUrl(this.config.publicUrl ?? '', `websub/${token}`).href;
    const ends = state === 'ending';
    return new URLSearchParams({
      'hub.mode': ends ? 'unsubscribe' : 'subscribe',
      'hub.topic': topicUrl,
      'hub.callback': callback,
      ...(!ends && {
        'hub.lease_seconds': String(Math.round(this.config.websubLeaseMs / 1_000)),
        'hub.secret': secret,
      }),
    });
  }

  private async isWanted({ sourceId }: Subscription): Promise<boolean> {
    if (!sourceId) return false;
    const { activeFollowers, id } = fetchStates;
    const [state] = await this.database.db.select({ activeFollowers }).from(fetchStates).where(eq(id, sourceId));
    return state !== undefined && state.activeFollowers > 0;
  }
}

/** If the hub verified or refused meanwhile, that result is kept. */
function isUnchanged(held: Subscription, before: Subscription): boolean {
  const { state, hubUrl, askAt } = before;
  return held.state === state && held.hubUrl === hubUrl && held.askAt?.getTime() === askAt?.getTime();
}
