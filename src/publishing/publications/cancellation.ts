import { Injectable } from '@nestjs/common';
import { and, eq, inArray } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.js';
import { Events } from '../../platform/events/events.js';
import { Clock } from '../../platform/time/clock.js';
import { publicationRows } from '../sending/publish-jobs.js';
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
    const [withdrawn] = await publicationRows.withdraw(db, and(eq(publications.id, id), isNotStarted));
    return withdrawn === undefined ? undefined : this.move(db, withdrawn, reason);
  }

  async ofAccount(db: Db, accountId: string): Promise<void> {
    const withdrawn = await publicationRows.withdraw(db, and(eq(publications.accountId, accountId), isNotStarted));
    for (const id of withdrawn) await this.move(db, id, 'its account was removed');
  }

  private move(db: Db, id: string, reason: string): Promise<Publication | undefined> {
    const set = { notBefore: null, waitingFor: null } as const;
    const move = { from: NOT_STARTED, to: 'cancelled', reason, at: this.clock.now(), set } as const;
    return movePublication(db, this.events, id, move);
  }
}

const isNotStarted = inArray(publications.status, [...NOT_STARTED]);
