import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { and, eq, inArray, isNotNull, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database } from '../../platform/database/database.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { Clock } from '../../platform/time/clock.js';
import { Periodic } from '../../platform/time/periodic.js';
import { fetchStates } from '../../sources/fetch-states.table.js';
import { sources } from '../../sources/sources.table.js';
import { askHubJob } from './ask-hub.job.js';
import { Pings } from './pings.js';
import { ended, expired, unwanted } from './subscription-rules.js';
import { SubscriptionsStore } from './subscriptions.store.js';
import { subscriptions } from './subscriptions.table.js';

const INTERVAL_MS = 1_000;
const CARE_INTERVAL_MS = 30_000;
const BATCH = 100;

/**
 * Enqueues hub requests that are due, resumes polling where a lease has expired, and ends subscriptions of unfollowed
 * sources.
 */
@Injectable()
export class HubScheduler implements OnApplicationBootstrap {
  private reliesOnNone = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly database: Database,
    private readonly store: SubscriptionsStore,
    private readonly pings: Pings,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly periodic: Periodic,
  ) {}

  onApplicationBootstrap() {
    if (!this.config.publicUrl) {
      this.periodic.every(CARE_INTERVAL_MS, 'hubs that cannot reach us', () => this.relyOnNone());
      return;
    }
    this.periodic.every(INTERVAL_MS, 'hub scheduler', () => this.run());
    this.periodic.every(CARE_INTERVAL_MS, 'unwanted hubs', () => this.care());
  }

  async run(): Promise<void> {
    const due = { column: subscriptions.askAt, now: this.clock.now(), limit: BATCH };
    await this.jobs.enqueueRows(askHubJob, await askHubJob.rows.takeDue(this.database.db, due));
    await this.expire();
    await this.pings.run();
  }

  async care(): Promise<void> {
    for (const id of await this.unfollowed()) {
      await this.store.change(id, (held) => (held.state === 'ending' ? undefined : ended(held, this.clock.now())));
    }
    await this.wake();
  }

  /** Ends all leases, because without a public URL hubs cannot reach us. Hubs are asked again once there is one. */
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

  private async expire(): Promise<void> {
    const now = this.clock.now();
    for (const id of await this.leased(lte(subscriptions.leaseUntil, now))) {
      await this.store.change(id, ({ leaseUntil }) => (leaseUntil && leaseUntil <= now ? expired() : undefined));
    }
  }

  private async leased(which: SQL): Promise<string[]> {
    const { id, state } = subscriptions;
    const some = this.database.db
      .select({ id })
      .from(subscriptions)
      .where(and(which, ne(state, 'ending')));
    return (await some.limit(BATCH)).map((one) => one.id);
  }

  /** Finds subscriptions of sources that are unfollowed, gone or deleted. */
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
      .limit(BATCH);
    return found.map(({ id }) => id);
  }

  /** Requests subscriptions again for sources that have active followers again. */
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
