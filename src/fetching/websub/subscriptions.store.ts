import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { and, eq, ne, type SQL } from 'drizzle-orm';
import { Database, type Db } from '../../platform/database/database.js';
import { jobInState } from '../../platform/jobs/job-columns.js';
import { Clock } from '../../platform/time/clock.js';
import type { Announcement } from '../fetcher.js';
import { PushedSources, type Reliance } from './pushed-sources.js';
import { type Change, pushedUntil } from './subscription-rules.js';
import { type Subscription, subscriptions } from './subscriptions.table.js';

type Rule = (subscription: Subscription) => Change | 'gone' | undefined;

const SECRET_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** Lock the source's row of `fetch_states` before its subscription: all code that locks both uses this order. */
@Injectable()
export class SubscriptionsStore {
  constructor(
    private readonly database: Database,
    private readonly polled: PushedSources,
    private readonly clock: Clock,
  ) {}

  async find(id: string): Promise<Subscription | undefined> {
    return this.findWhere(eq(subscriptions.id, id));
  }

  async findByToken(token: string): Promise<Subscription | undefined> {
    return TOKEN.test(token) ? this.findWhere(eq(subscriptions.token, token)) : undefined;
  }

  async findOf(sourceId: string): Promise<Subscription | undefined> {
    return this.findWhere(currentOf(sourceId));
  }

  async current(db: Db, sourceId: string): Promise<Subscription | undefined> {
    const [found] = await db.select().from(subscriptions).where(currentOf(sourceId)).for('update');
    return found;
  }

  async begin(db: Db, sourceId: string, { hubs, topic }: Announcement): Promise<void> {
    const [hubUrl] = hubs;
    if (hubUrl === undefined) return;
    const now = this.clock.now();
    const secrets = { token: secret(), secret: secret() };
    const asked = { state: 'asked', begunAt: now, askAt: now } as const;
    const row = { sourceId, hubUrls: hubs, hubUrl, topicUrl: topic, ...secrets, ...asked, ...jobInState('idle') };
    const [begun] = await db.insert(subscriptions).values(row).onConflictDoNothing().returning();
    if (begun) await this.polled.rely(db, sourceId, relianceOn(begun), now);
  }

  async change(id: string, rule: Rule): Promise<Subscription | undefined> {
    const found = await this.find(id);
    if (!found) return undefined;
    return this.database.transaction(async (db) => {
      if (found.sourceId) await this.polled.hold(db, found.sourceId);
      return this.changeHeld(db, id, rule);
    });
  }

  /** Call inside a transaction that has locked the source's row. */
  async changeHeld(db: Db, id: string, rule: Rule): Promise<Subscription | undefined> {
    const [before] = await db.select().from(subscriptions).where(eq(subscriptions.id, id)).for('update');
    const change = before && rule(before);
    if (!before || !change) return before;
    const changed = change === 'gone' ? undefined : { ...before, ...change };
    if (change === 'gone') await db.delete(subscriptions).where(eq(subscriptions.id, id));
    else await db.update(subscriptions).set(change).where(eq(subscriptions.id, id));
    // An ending subscription does not affect the source, which may have another one.
    if (before.sourceId && before.state !== 'ending') {
      await this.polled.rely(db, before.sourceId, relianceOn(changed), this.clock.now());
    }
    return changed;
  }

  private async findWhere(which: SQL | undefined): Promise<Subscription | undefined> {
    const [found] = await this.database.db.select().from(subscriptions).where(which);
    return found;
  }
}

function relianceOn(subscription: Subscription | undefined): Reliance {
  if (!subscription || subscription.state === 'ending') return { hasHub: false, pushedUntil: null };
  return { hasHub: true, pushedUntil: pushedUntil(subscription) };
}

const currentOf = (sourceId: string) => and(eq(subscriptions.sourceId, sourceId), ne(subscriptions.state, 'ending'));
const secret = () => randomBytes(SECRET_BYTES).toString('base64url');
