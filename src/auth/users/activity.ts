import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { and, asc, eq, gt, inArray, isNull, lt, lte, or } from 'drizzle-orm';
import { CONFIG, type Config } from '../../platform/config.js';
import { Database, type Db } from '../../platform/database/database.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { Clock } from '../../platform/time/clock.js';
import { ExpiringSet } from '../limits/expiring-set.js';
import { users } from './users.table.js';

const WRITE_INTERVAL_MS = 60_000;
const RETIRED_BATCH_SIZE = 1_000;

/** Called in the transaction that makes a user active again. Returns a function to call after the commit. */
type ReturnListener = (db: Db, userId: string) => Promise<() => Promise<void>>;

/** Called in the transaction that makes users inactive. */
type RetireListener = (db: Db, userIds: string[]) => Promise<void>;

/** Records when users were last seen, at most once a minute each and in the background, and which users are active. */
@Injectable()
export class Activity implements BeforeApplicationShutdown {
  private readonly recentlySeen = new ExpiringSet(WRITE_INTERVAL_MS);
  private readonly writing = new Set<Promise<void>>();
  private readonly returnListeners: ReturnListener[] = [];
  private readonly retireListeners: RetireListener[] = [];

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOG) private readonly log: Log,
    @Inject(CONFIG) private readonly config: Pick<Config, 'activeWindowMs'>,
  ) {}

  seen(userId: string): void {
    const now = this.clock.now();
    if (!this.recentlySeen.add(userId, now.getTime())) return;
    const write = this.write(userId, now).finally(() => this.writing.delete(write));
    this.writing.add(write);
  }

  onReturn(listener: ReturnListener): void {
    this.returnListeners.push(listener);
  }

  onRetire(listener: RetireListener): void {
    this.retireListeners.push(listener);
  }

  async retireSilent(): Promise<void> {
    const since = new Date(this.clock.now().getTime() - this.config.activeWindowMs);
    let last: string | undefined = '0';
    while (last) {
      const after: string = last;
      last = await this.database.transaction((db) => this.retireSome(db, since, after));
    }
  }

  async beforeApplicationShutdown() {
    await Promise.all(this.writing);
  }

  private async write(userId: string, now: Date): Promise<void> {
    try {
      if (!(await this.touch(userId, now))) await this.comeBack(userId, now);
    } catch (err) {
      this.recentlySeen.forget(userId);
      this.log.warn({ event: 'activity_not_recorded', err, userId }, 'The activity of a user could not be recorded');
    }
  }

  /** Returns false if another process wrote it within a minute or the user is inactive. */
  private async touch(userId: string, now: Date): Promise<boolean> {
    const due = new Date(now.getTime() - WRITE_INTERVAL_MS);
    const { rowCount } = await this.database.db
      .update(users)
      .set({ lastSeenAt: now })
      .where(and(eq(users.id, userId), users.active, or(isNull(users.lastSeenAt), lte(users.lastSeenAt, due))));
    return rowCount === 1;
  }

  /** If several processes see a user return, only one of them finds the user inactive. */
  private async comeBack(userId: string, now: Date): Promise<void> {
    const afterwards = await this.database.transaction(async (db) => {
      const { rowCount } = await db
        .update(users)
        .set({ lastSeenAt: now, active: true })
        .where(and(eq(users.id, userId), eq(users.active, false)));
      const callbacks: (() => Promise<void>)[] = [];
      if (rowCount) for (const listener of this.returnListeners) callbacks.push(await listener(db, userId));
      return callbacks;
    });
    for (const act of afterwards) await act();
  }

  /** A user whose row is locked has just been seen. */
  private async retireSome(db: Db, since: Date, last: string): Promise<string | undefined> {
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
    const ids = retired.map(({ id }) => id);
    if (ids.length) for (const listener of this.retireListeners) await listener(db, ids);
    return ids.length === RETIRED_BATCH_SIZE ? highest(ids) : undefined;
  }
}

const highest = (ids: string[]) => String(ids.map(BigInt).reduce((a, b) => (a > b ? a : b)));
