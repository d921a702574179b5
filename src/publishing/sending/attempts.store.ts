import { Injectable } from '@nestjs/common';
import { and, eq, gte, inArray, isNotNull, ne } from 'drizzle-orm';
import { Database, type Db } from '../../platform/database/database.js';
import { Events } from '../../platform/events/events.js';
import { storableText } from '../../platform/jobs/storable.js';
import { Clock } from '../../platform/time/clock.js';
import { accounts } from '../accounts/accounts.table.js';
import { PlatformSlotsStore } from '../limits/platform-slots.store.js';
import type { Published } from '../platform.js';
import { movePublication } from '../publications/move-publication.js';
import { type Publication, publications } from '../publications/publications.table.js';
import type { PublicationWithAccount } from './publish-jobs.js';

/** Posts from up to this long (ms) before a publication was created are compared, because clocks may differ. */
const LOOK_BACK_MS = 24 * 3_600_000;
const MAX_PENDING = 1_000;

/** Methods that take a `db` must run inside the job's run, which holds the row. */
@Injectable()
export class AttemptsStore {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly slots: PlatformSlotsStore,
    private readonly clock: Clock,
  ) {}

  async find(id: string): Promise<PublicationWithAccount | undefined> {
    const [found] = await this.database.db
      .select({ publication: publications, account: accounts })
      .from(publications)
      .innerJoin(accounts, eq(accounts.id, publications.accountId))
      .where(eq(publications.id, id));
    return found && { ...found.publication, account: found.account };
  }

  async saveProgress(db: Db, { id }: Publication, progress: unknown): Promise<void> {
    await db.update(publications).set({ progress }).where(eq(publications.id, id));
  }

  /** An unanswered repeat is not reconciled before `settledAt`. */
  async repeat(db: Db, publication: PublicationWithAccount, settledAt: Date): Promise<PublicationWithAccount> {
    const postponements = publication.postponements + 1;
    const set = { intendedAt: this.clock.now(), notBefore: settledAt, lastError: null, postponements };
    await db.update(publications).set(set).where(eq(publications.id, publication.id));
    return { ...publication, ...set };
  }

  async again(
    db: Db,
    publication: Publication,
    { until, reason, countsAttempt, ...waiting }: RetrySchedule,
  ): Promise<void> {
    const { id, attempts } = publication;
    const { waitingFor, postponements = publication.postponements, lastError = publication.lastError } = waiting;
    await this.slots.release(db, id);
    const counted = {
      attempts: countsAttempt ? attempts : Math.max(0, attempts - 1),
      lastError: countsAttempt ? reason : lastError,
    };
    await this.end(db, id, {
      to: 'scheduled',
      reason,
      at: this.clock.now(),
      isFailedTry: countsAttempt,
      set: { ...counted, notBefore: until, waitingFor, postponements },
    });
  }

  /** The publication stays in `publishing`, and the next run reconciles it. */
  async reconcileLater(db: Db, { id }: Publication, { until, ...change }: ReconciliationSchedule): Promise<void> {
    const waitingFor = 'a look at the platform, whether the post is there';
    await db
      .update(publications)
      .set({ ...change, notBefore: until, waitingFor })
      .where(eq(publications.id, id));
  }

  /** The next run reconciles the publication, because an earlier call seems to have succeeded. */
  async suspected(db: Db, { id, createdAt, firstTriedAt }: Publication, reason: string): Promise<void> {
    const at = this.clock.now();
    const set = { intendedAt: at, firstTriedAt: firstTriedAt ?? createdAt, notBefore: at, lastError: reason };
    await movePublication(db, this.events, id, { from: ['queued'], to: 'publishing', reason, at, set });
  }

  async failed(db: Db, { id, attempts }: Publication, reason: string): Promise<void> {
    await this.slots.release(db, id);
    await this.end(db, id, { to: 'failed', reason, at: this.clock.now(), set: { attempts, lastError: reason } });
  }

  async expired(db: Db, { id }: Publication, reason: string): Promise<void> {
    await this.slots.release(db, id);
    await this.end(db, id, { to: 'expired', reason, at: this.clock.now() });
  }

  /** A bug of ours stopped the job. If a call was intended, its outcome is unknown. */
  async stopped(db: Db, id: string, reason: string) {
    const [publication] = await db.select().from(publications).where(eq(publications.id, id));
    if (!publication) return undefined;
    if (!publication.intendedAt) {
      await this.failed(db, publication, reason);
      return { publication, status: 'failed' } as const;
    }
    await this.unknown(db, publication, reason);
    return { publication, status: 'unknown' } as const;
  }

  async replayed(db: Db, id: string): Promise<void> {
    const at = this.clock.now();
    // The publication counts as due now, because it could be too late for its original time.
    const set = { attempts: 0, postponements: 0, lastError: null, scheduledAt: at };
    const move = { to: 'queued', reason: 'its dead letter was replayed', at, set } as const;
    await movePublication(db, this.events, id, { ...move, from: ['failed'] });
  }

  /** The publication was edited while it was prepared, so the next attempt uses its new content. */
  async handBack(db: Db, { id }: Publication): Promise<void> {
    const move = { to: 'scheduled', reason: 'it was changed', at: this.clock.now() } as const;
    await movePublication(db, this.events, id, { ...move, from: ['queued'] });
  }

  /** Only publications that are recent enough to be confused with this one count. */
  async others({ id, accountId, createdAt }: Publication): Promise<Set<string>> {
    const since = new Date(createdAt.getTime() - LOOK_BACK_MS);
    const found = await this.database.db
      .select({ postId: publications.platformPostId })
      .from(publications)
      .where(
        and(
          ...[eq(publications.accountId, accountId), ne(publications.id, id)],
          ...[isNotNull(publications.platformPostId), gte(publications.publishedAt, since)],
        ),
      );
    return new Set(found.flatMap(({ postId }) => postId ?? []));
  }

  /** By default, publications whose calls are in flight or have an unknown outcome are returned. */
  async pending(
    { id, accountId }: Publication,
    statuses: readonly Publication['status'][] = ['publishing', 'unknown'],
  ): Promise<Pick<Publication, 'content' | 'intendedAt'>[]> {
    const isOpen = inArray(publications.status, [...statuses]);
    return this.database.db
      .select({ content: publications.content, intendedAt: publications.intendedAt })
      .from(publications)
      .where(and(eq(publications.accountId, accountId), ne(publications.id, id), isOpen))
      .limit(MAX_PENDING);
  }

  async foundAfterRestore(
    db: Db,
    { id }: Publication,
    { found: { postId, url }, reason }: { found: Published; reason: string },
  ): Promise<void> {
    const at = this.clock.now();
    const post = { platformPostId: storableText(postId), platformUrl: url ? storableText(url) : null, publishedAt: at };
    await this.slots.end(db, id);
    await this.end(db, id, { to: 'published', reason, at, set: { ...post, lastError: null } });
  }

  async unknown(db: Db, { id, intendedAt }: Publication, reason: string): Promise<void> {
    await this.slots.end(db, id);
    const set = { lastError: reason, intendedAt };
    await this.end(db, id, { to: 'unknown', reason, at: this.clock.now(), set });
  }

  private async end(db: Db, id: string, move: End): Promise<void> {
    const set = { intendedAt: null, notBefore: null, waitingFor: null, ...move.set };
    await movePublication(db, this.events, id, { ...move, set, from: ['scheduled', 'queued', 'publishing'] });
  }
}

type End = Omit<Parameters<typeof movePublication>[3], 'from'>;

export interface RetrySchedule {
  until: Date;
  reason: string;
  waitingFor: string | null;
  countsAttempt: boolean;
  postponements?: number;
  lastError?: string;
}

export interface ReconciliationSchedule {
  until: Date;
  /** The value is null if no answer to the call was received. */
  lastError: string | null;
  postponements?: number;
}
