import { Injectable } from '@nestjs/common';
import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.js';
import { Events } from '../../platform/events/events.js';
import { Clock } from '../../platform/time/clock.js';
import { movePublication } from './move-publication.js';
import { NOT_STARTED } from './publication-status.js';
import { type Publication, publications } from './publications.table.js';

/** Cancels publications for which no call has been intended yet. */
@Injectable()
export class Cancellation {
  constructor(
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  /** Returns undefined if it is too late. A worker that is preparing the publication loses its claim. */
  async one(db: Db, id: string, reason: string): Promise<Publication | undefined> {
    const set = { jobState: 'idle', notBefore: null, waitingFor: null } as const;
    const move = { from: NOT_STARTED, to: 'cancelled', reason, at: this.clock.now(), set } as const;
    return movePublication(db, this.events, id, move);
  }

  async ofAccount(db: Db, accountId: string): Promise<void> {
    const open = await db
      .select({ id: publications.id })
      .from(publications)
      .where(and(eq(publications.accountId, accountId), inArray(publications.status, [...NOT_STARTED])))
      .orderBy(asc(publications.id))
      .for('no key update');
    for (const { id } of open) await this.one(db, id, 'its account was removed');
  }
}
