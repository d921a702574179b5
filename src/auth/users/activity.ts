import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { and, asc, eq, gt, inArray, isNull, lt, lte, or } from 'drizzle-orm';
import type { Config } from '../../platform/config.js';
import { CONFIG } from '../../platform/config.js';
import { Database, type Db } from '../../platform/database/database.js';
import type { Log } from '../../platform/log/log.js';
import { LOG } from '../../platform/log/log.js';
import { Clock } from '../../platform/time/clock.js';
import { ExpiringSet } from '../limits/expiring-set.js';
import { users } from './users.table.js';

const WRITE_INTERVAL_MS = 60_000;
const RETIRED_BATCH_SIZE = 1_000;

/** Told in the transaction that makes a user active again; returns what to do once it is committed. */
type ReturnListener = (db: Db, userId: string) => Promise<() => Promise<void>>;

/** When users were last seen, written at most once a minute each and never waited for, and who is active because of it. */
@Injectable()
export class Activity implements BeforeApplicationShutdown {
  private readonly seenLately = new ExpiringSet(WRITE_INTERVAL_MS);
  private readonly writing = new Set<Promise<void>>();
  private readonly returnListeners: ReturnListener[] = [];

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOG) private readonly log: Log,
    @Inject(CONFIG) private readonly config: Pick<Config, 'activeWindowMs'>,
  ) {}

  seen(userId: string): void {
    const now = this.clock.now();
    if (!this.seenLately.add(userId, now.getTime())) return;
    const write = this.write(userId, now).finally(() => this.writing.delete(write));
    this.writing.add(write);
  }

  onReturn(listener: ReturnListener): void {
    this.returnListeners.push(listener);
  }

  /** Ends the activity of those who were not seen for the active window. */
  async retireSilent(): Promise<void> {
    const since = new Date(this.clock.now().getTime() - this.config.activeWindowMs);
    let last: string | undefined = '0';
    while (last) last = await this.retireSome(since, last);
  }

  async beforeApplicationShutdown() {
    await Promise.all(this.writing);
  }

  private async write(userId: string, now: Date): Promise<void> {
    try {
      if (!(await this.touch(userId, now))) await this.comeBack(userId, now);
    } catch (err) {
      this.seenLately.forget(userId);
      this.log.warn({ err, userId }, 'could not record that a user was seen');
    }
  }

  /** Other processes see the same user: whoever is first in a minute writes. False: written lately, or not active. */
  private async touch(userId: string, now: Date): Promise<boolean> {
    const due = new Date(now.getTime() - WRITE_INTERVAL_MS);
    const { rowCount } = await this.database.db
      .update(users)
      .set({ lastSeenAt: now })
      .where(and(eq(users.id, userId), users.active, or(isNull(users.lastSeenAt), lte(users.lastSeenAt, due))));
    return rowCount === 1;
  }

  /** Of several processes that see a user come back, one finds them inactive. */
  private async comeBack(userId: string, now: Date): Promise<void> {
    const afterwards = await this.database.transaction(async (db) => {
      const { rowCount } = await db
        .update(users)
        .set({ lastSeenAt: now, active: true })
        .where(and(eq(users.id, userId), eq(users.active, false)));
      const told: (() => Promise<void>)[] = [];
      if (rowCount) for (const listener of this.returnListeners) told.push(await listener(db, userId));
      return told;
    });
    for (const act of afterwards) await act();
  }

  /** Of the users after `last`; returns the last one of them. One who is just being written to has been seen. */
  private async retireSome(since: Date, last: string): Promise<string | undefined> {
    const { db } = this.database;
    const silent = db
      .select({ id: users.id })
      .from(users)
      .where(and(gt(users.id, last), users.active, lt(users.lastSeenAt, since)))
      .orderBy(asc(users.id))
      .limit(RETIRED_BATCH_SIZE)
      .for('no key update', { skipLocked: true });
    const retired = await db
      .update(users)
      .set({ active: false })
      .where(inArray(users.id, silent))
      .returning({ id: users.id });
    return retired.length === RETIRED_BATCH_SIZE ? highest(retired.map(({ id }) => id)) : undefined;
  }
}

const highest = (ids: string[]) => String(ids.map(BigInt).reduce((a, b) => (a > b ? a : b)));
