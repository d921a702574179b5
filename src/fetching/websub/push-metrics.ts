import { Inject, Injectable } from '@nestjs/common';
import { count } from 'drizzle-orm';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database } from '../../platform/database/database.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { withTimeout } from '../../platform/time/with-timeout.js';
import { subscriptions } from './subscriptions.table.js';

const TIMEOUT_MS = 2_000;
const OUTCOMES = ['new', 'known', 'thin', 'unsigned', 'other_topic', 'unknown', 'busy'] as const;
export type PushOutcome = (typeof OUTCOMES)[number];

@Injectable()
export class PushMetrics {
  private readonly pushes;

  constructor(@Inject(CONFIG) { roles }: Config, metrics: Metrics, database: Database) {
    this.pushes = metrics.counter({
      name: 'pushes_total',
      help: 'Deliveries of WebSub hubs by what came of them; thin ones say only that there is news.',
      labels: ['outcome'],
      known: { outcome: OUTCOMES },
    });
    if (!roles.has('api')) return;
    metrics.gauge({
      name: 'websub_subscriptions',
      help: 'Subscriptions at WebSub hubs by their state.',
      labels: ['state'],
      read: async () => {
        const { state } = subscriptions;
        const counted = database.db.select({ state, value: count() }).from(subscriptions).groupBy(state);
        return withTimeout(counted.execute(), TIMEOUT_MS);
      },
    });
  }

  came(outcome: PushOutcome): void {
    this.pushes.inc({ outcome });
  }
}
