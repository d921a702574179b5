import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { and, eq, isNull, lte, or } from 'drizzle-orm';
import { Clock } from '../platform/clock.js';
import { Database } from '../platform/database/database.js';
import type { Log } from '../platform/log/log.js';
import { LOG } from '../platform/log/log.token.js';
import { SeenLately } from './seen-lately.js';
import { users } from './users.table.js';

const WRITE_EVERY_MS = 60_000;

/** When users were last seen, written at most once a minute each and never waited for. */
@Injectable()
export class Activity implements BeforeApplicationShutdown {
  private readonly seenLately = new SeenLately(WRITE_EVERY_MS);
  private readonly writing = new Set<Promise<void>>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(LOG) private readonly log: Log,
  ) {}

  seen(userId: string): void {
    const now = this.clock.now();
    if (!this.seenLately.add(userId, now.getTime())) return;
    const write = this.write(userId, now).finally(() => this.writing.delete(write));
    this.writing.add(write);
  }

  async beforeApplicationShutdown() {
    await Promise.all(this.writing);
  }

  /** Other processes see the same user: whoever is first in a minute writes. */
  private async write(userId: string, now: Date): Promise<void> {
    const due = new Date(now.getTime() - WRITE_EVERY_MS);
    try {
      await this.database.db
        .update(users)
        .set({ lastSeenAt: now })
        .where(and(eq(users.id, userId), or(isNull(users.lastSeenAt), lte(users.lastSeenAt, due))));
    } catch (err) {
      this.seenLately.forget(userId);
      this.log.warn({ err, userId }, 'could not record that a user was seen');
    }
  }
}
