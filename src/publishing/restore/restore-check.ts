import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { and, asc, count, eq, inArray, lte, sql } from 'drizzle-orm';
import { Database, type Db } from '../../platform/database/database.js';
import { Leadership } from '../../platform/database/leadership.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { storableText } from '../../platform/jobs/storable.js';
import { Clock } from '../../platform/time/clock.js';
import { publications } from '../publications/publications.table.js';
import { AttemptsStore } from '../sending/attempts.store.js';
import type { PublicationWithAccount } from '../sending/publish-jobs.js';
import { OPEN_STATUSES, PublishingHold } from './publishing-hold.js';
import { type PublishingHoldRow, restoreCheckResults } from './publishing-holds.table.js';
import { RestoredPostFinder, type RestoreFinding } from './restored-post-finder.js';

/** An arbitrary number that no other leadership uses. */
const RESTORE_CHECK_LOCK = 7_318_245;
/** One step of the check (ms) answers a request, which must not time out. */
const MAX_STEP_MS = 15_000;

/**
 * Searches for every open publication that was due since the backup on its platform. A post that is there is
 * recorded as published, one that is not may be sent, and an uncertain one is left to a person.
 */
@Injectable()
export class RestoreCheck implements OnApplicationShutdown {
  private readonly leadership: Leadership;

  /** Guards this process; the leadership guards against other processes. */
  private isRunning = false;

  constructor(
    private readonly database: Database,
    private readonly hold: PublishingHold,
    private readonly attempts: AttemptsStore,
    private readonly finder: RestoredPostFinder,
    private readonly clock: Clock,
  ) {
    this.leadership = new Leadership(database.url, RESTORE_CHECK_LOCK);
  }

  /** Publications are checked one at a time, so that those with equal content are not confused. */
  async step({ retry, finish }: { retry: boolean; finish: boolean }): Promise<void> {
    const hold = await this.hold.latest();
    if (!hold || hold.releasedAt) return;
    if (this.isRunning) throw busy();
    this.isRunning = true;
    try {
      if (!(await this.leadership.isMine())) throw busy();
      if (retry) await this.forgetUnread(hold);
      const until = Date.now() + MAX_STEP_MS;
      let next = await this.nextUnchecked(hold);
      for (; next && Date.now() < until; next = await this.nextUnchecked(hold)) await this.check(hold, next);
      if (next) return;
      if (finish) await this.giveUpUnread(hold);
      if ((await this.unread(hold)).length === 0) await this.hold.release(hold);
    } finally {
      await this.leadership.stepDown();
      this.isRunning = false;
    }
  }

  async remaining(hold: PublishingHoldRow): Promise<number> {
    const [row] = await this.database.db.select({ count: count() }).from(publications).where(this.isUnchecked(hold));
    return row?.count ?? 0;
  }

  async onApplicationShutdown() {
    await this.leadership.stepDown();
  }

  private async check(hold: PublishingHoldRow, id: string): Promise<void> {
    const publication = await this.attempts.find(id);
    if (!publication) return;
    const finding = await this.finder.find(publication, hold.backupAt);
    await this.database.transaction(async (db) => {
      await this.apply(db, publication, { hold, finding });
      await this.note(db, { hold, finding, id });
    });
  }

  private async apply(db: Db, publication: PublicationWithAccount, { hold, finding }: AppliedFinding): Promise<void> {
    const { outcome, reason, found } = finding;
    const at = this.clock.now();
    if (outcome === 'published' && found) await this.attempts.foundAfterRestore(db, publication, { found, reason });
    if (outcome === 'unknown') await this.attempts.unknown(db, { ...publication, intendedAt: hold.backupAt }, reason);
    if (outcome === 'to_send' && publication.status === 'publishing')
      await this.attempts.again(db, publication, { until: at, reason, waitingFor: null, countsAttempt: false });
  }

  private async note(db: Db, { hold, finding, id }: AppliedFinding & { id: string }): Promise<void> {
    const { outcome } = finding;
    const reason = storableText(finding.reason);
    const at = this.clock.now();
    await db
      .insert(restoreCheckResults)
      .values({ holdId: hold.id, publicationId: id, outcome, reason, at })
      .onConflictDoUpdate({
        target: [restoreCheckResults.holdId, restoreCheckResults.publicationId],
        set: { outcome, reason, at },
      });
  }

  /** Publications that were created after the restore cannot have been sent by another process. */
  private isUnchecked({ id, heldAt }: PublishingHoldRow) {
    return and(
      inArray(publications.status, [...OPEN_STATUSES]),
      lte(publications.scheduledAt, this.clock.now()),
      lte(publications.createdAt, heldAt),
      sql`NOT EXISTS (SELECT FROM ${restoreCheckResults} AS result WHERE result.hold_id = ${id} AND result.publication_id = ${publications.id})`,
    );
  }

  private async nextUnchecked(hold: PublishingHoldRow): Promise<string | undefined> {
    const [next] = await this.database.db
      .select({ id: publications.id })
      .from(publications)
      .where(this.isUnchecked(hold))
      .orderBy(asc(publications.scheduledAt), asc(publications.id))
      .limit(1);
    return next?.id;
  }

  private unread(hold: PublishingHoldRow) {
    return this.database.db
      .select({ id: publications.id, reason: restoreCheckResults.reason })
      .from(restoreCheckResults)
      .innerJoin(publications, eq(publications.id, restoreCheckResults.publicationId))
      .where(
        and(
          ...[eq(restoreCheckResults.holdId, hold.id), eq(restoreCheckResults.outcome, 'unread')],
          inArray(publications.status, [...OPEN_STATUSES]),
        ),
      );
  }

  private async forgetUnread(hold: PublishingHoldRow): Promise<void> {
    await this.database.db
      .delete(restoreCheckResults)
      .where(and(eq(restoreCheckResults.holdId, hold.id), eq(restoreCheckResults.outcome, 'unread')));
  }

  private async giveUpUnread(hold: PublishingHoldRow): Promise<void> {
    for (const { id, reason } of await this.unread(hold)) {
      const publication = await this.attempts.find(id);
      const finding = { outcome: 'unknown', reason } as const;
      await this.database.transaction(async (db) => {
        if (publication) await this.apply(db, publication, { hold, finding });
        await this.note(db, { hold, finding, id });
      });
    }
  }
}

const busy = () => new ApiError('conflict', 'Another restore check is running.');

interface AppliedFinding {
  hold: PublishingHoldRow;
  finding: RestoreFinding;
}
