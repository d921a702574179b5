import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CONFIG, type Config } from '../../platform/config.js';
import { Clock } from '../../platform/time/clock.js';
import { fewWords } from './few-words.js';
import { refused, verified } from './subscription-rules.js';
import { SubscriptionsStore } from './subscriptions.store.js';
import type { Subscription } from './subscriptions.table.js';

const Topic = z.string().max(2_000);
const Verification = z.discriminatedUnion('hub.mode', [
  z.object({
    'hub.mode': z.literal('subscribe'),
    'hub.topic': Topic,
    'hub.challenge': z.string().min(1),
    'hub.lease_seconds': z.coerce.number().positive().optional().catch(undefined),
  }),
  z.object({ 'hub.mode': z.literal('unsubscribe'), 'hub.topic': Topic, 'hub.challenge': z.string().min(1) }),
  z.object({ 'hub.mode': z.literal('denied'), 'hub.topic': Topic, 'hub.reason': z.string().optional() }),
]);

@Injectable()
export class Verifications {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly store: SubscriptionsStore,
    private readonly clock: Clock,
  ) {}

  async answer({ id }: Subscription, query: unknown): Promise<string | undefined> {
    const parsed = Verification.safeParse(query);
    if (!parsed.success) return undefined;
    const verification = parsed.data;
    const now = this.clock.now();
    let answer: string | undefined;
    await this.store.change(id, (subscription) => {
      const { state, topicUrl } = subscription;
      if (verification['hub.topic'] !== topicUrl) return undefined;
      if ((verification['hub.mode'] === 'unsubscribe') !== (state === 'ending')) return undefined;
      if (verification['hub.mode'] === 'denied') {
        answer = '';
        return refused(subscription, deniedBecause(verification['hub.reason'], subscription), now);
      }
      answer = verification['hub.challenge'];
      if (verification['hub.mode'] === 'unsubscribe') return 'gone';
      const seconds = verification['hub.lease_seconds'];
      return verified(subscription, seconds ? seconds * 1_000 : this.config.websubLeaseMs, now);
    });
    return answer;
  }
}

function deniedBecause(reason: string | undefined, subscription: Subscription): string {
  const words = fewWords(reason ?? '', subscription);
  return words ? `the hub refused: ${words}` : 'the hub refused without a reason';
}
