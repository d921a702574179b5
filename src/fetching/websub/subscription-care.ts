import { Injectable } from '@nestjs/common';
import { and, eq, inArray, isNotNull, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { Database } from '../../platform/database/database.js';
import { Clock } from '../../platform/time/clock.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { sources } from '../../sources/sources.table.js';
import { ended, expired, unwanted } from './subscription-rules.js';
import { SubscriptionsStore } from './subscriptions.store.js';
import { subscriptions } from './subscriptions.table.js';

const BATCH_SIZE = 100;

@Injectable()
export class SubscriptionCare {
  private reliesOnNone = false;

  constructor(
    private readonly database: Database,
    private readonly store: SubscriptionsStore,
    private readonly clock: Clock,
  ) {}

  async expire(): Promise<void> {
    const now = this.clock.now();
    for (const id of await this.leased(lte(subscriptions.leaseUntil, now))) {
      await this.store.change(id, ({ leaseUntil }) => (leaseUntil && leaseUntil <= now ? expired() : undefined));
    }
  }

  async run(): Promise<void> {
    for (const id of await this.unfollowed()) {
      await this.store.change(id, (held) => (held.state === 'ending' ? undefined : ended(held, this.clock.now())));
    }
    await this.wake();
  }

  /** Without a public URL hubs cannot reach us. They are asked again once there is one. */
  async relyOnNone(): Promise<void> {
    if (this.reliesOnNone) return;
    const left = { ...expired(), ...unwanted() };
    let leased: string[];
    do {
      leased = await this.leased(isNotNull(subscriptions.leaseUntil));
      for (const id of leased) await this.store.change(id, ({ state }) => (state === 'ending' ? undefined : left));
    } while (leased.length);
    this.reliesOnNone = true;
  }

  private async leased(which: SQL): Promise<string[]> {
    const { id, state } = subscriptions;
    const some = this.database.db
      .select({ id })
      .from(subscriptions)
      .where(and(which, ne(state, 'ending')));
    return (await some.limit(BATCH_SIZE)).map((one) => one.id);
  }

  private async unfollowed(): Promise<string[]> {
    const found = await this.database.db
      .select({ id: subscriptions.id })
      .from(subscriptions)
      .leftJoin(sources, eq(sources.id, subscriptions.sourceId))
      .leftJoin(fetchStates, eq(fetchStates.id, subscriptions.sourceId))
      .where(
        and(
          ne(subscriptions.state, 'ending'),
          or(isNull(sources.id), eq(sources.followers, 0), isNotNull(fetchStates.goneAt)),
        ),
      )
      .limit(BATCH_SIZE);
    return found.map(({ id }) => id);
  }

  private async wake(): Promise<void> {
    const { id, askAt, sourceId } = subscriptions;
    const wanted = this.database.db
      .select({ id })
      .from(subscriptions)
      .innerJoin(fetchStates, and(eq(fetchStates.id, sourceId), sql`${fetchStates.activeFollowers} > 0`))
      .where(isNull(askAt));
    await this.database.db
      .update(subscriptions)
      .set({ askAt: this.clock.now() })
      .where(and(inArray(id, wanted), isNull(askAt)));
  }
}
