import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/time/clock.js';
import { linkedAs, linkHeader } from './announced-hubs.js';
import { HubJobs } from './hub-jobs.js';
import { isSigned } from './is-signed.js';
import { PushMetrics, type PushOutcome } from './push-metrics.js';
import { Pushes } from './pushes.js';
import { pushed } from './subscription-rules.js';
import { SubscriptionsStore } from './subscriptions.store.js';
import type { Subscription } from './subscriptions.table.js';

@Injectable()
export class Deliveries {
  constructor(
    private readonly pushes: Pushes,
    private readonly jobs: HubJobs,
    private readonly subscriptions: SubscriptionsStore,
    private readonly metrics: PushMetrics,
    private readonly clock: Clock,
  ) {}

  async take(subscription: Subscription, headers: IncomingHttpHeaders, body: Buffer): Promise<void> {
    this.metrics.came(await this.judge(subscription, headers, body));
  }

  refused(reason: 'unknown' | 'busy'): void {
    this.metrics.came(reason);
  }

  private async judge(subscription: Subscription, headers: IncomingHttpHeaders, body: Buffer): Promise<PushOutcome> {
    if (!isSigned(body, subscription.secret, headers['x-hub-signature']?.toString())) return 'unsigned';
    const links = linkHeader([headers.link ?? []].flat().join(', '), subscription.topicUrl);
    const topics = linkedAs(links, 'self');
    if (topics.length && !topics.includes(subscription.topicUrl)) return 'other_topic';
    const outcome = await this.pushes.take(subscription, { body, contentType: headers['content-type'] });
    if (outcome === 'thin') await this.fetchInstead(subscription);
    return outcome;
  }

  private async fetchInstead({ id }: Subscription): Promise<void> {
    const now = this.clock.now();
    await this.subscriptions.change(id, (held) => ({ ...pushed(held, false, now), pingedAt: now }));
    await this.jobs.enqueueAnnounced();
  }
}
