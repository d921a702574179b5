import { Injectable } from '@nestjs/common';
import { and, eq, gte, isNotNull, ne, sql } from 'drizzle-orm';
import { Clock } from '../platform/clock.js';
import { ADVISORY_LOCKS } from '../platform/database/advisory-locks.js';
import { Database, type Db } from '../platform/database/database.js';
import { Events } from '../platform/events/events.js';
import { type Account, accounts } from './accounts.table.js';
import { inWords, type Limits } from './limits.js';
import { movePublication } from './move-publication.js';
import type { Published } from './platform.js';
import { PlatformSlotsStore } from './platform-slots.store.js';
import { type Publication, publications } from './publications.table.js';

/** A publication with the account that it is for. */
export type Attempted = Publication & { account: Account };

export type Intention =
  | { kind: 'decided'; intended: Attempted }
  | { kind: 'no room'; until: Date; reason: string }
  /** Somebody has cancelled or edited it, or its time has passed. */
  | { kind: 'changed' };

/** So soon a post looks again for room that calls under way may leave. */
const UNDER_WAY_MS = 250;
const TWIN_MS = 1_000;

/** What a worker reads and writes about a publication. Call what takes a `db` through the job's run, which holds the row. */
@Injectable()
export class AttemptsStore {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly slots: PlatformSlotsStore,
    private readonly clock: Clock,
  ) {}

  async find(id: string): Promise<Attempted | undefined> {
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

  /** Takes room within the limits and notes that the call is about to be made: from now on it is too late to change anything. */
  async intend(db: Db, publication: Attempted, { limits, takesTurns }: Rules): Promise<Intention> {
    const { id, version, platform, userId } = publication;
    const limited = limits.platform !== undefined || limits.user !== undefined;
    if (limited) await this.slots.hold(db, platform);
    const [now] = await db.select().from(publications).where(eq(publications.id, id));
    if (now?.status !== 'queued' || now.version !== version) return { kind: 'changed' };
    if (takesTurns && (await this.hasTwinUnderWay(db, now))) return { kind: 'no room', ...this.untilTwinHasEnded() };
    if (limited) {
      const calls = await this.slots.calls(platform, limits, db);
      const room = calls.roomFor(userId);
      if (room.now < 1) return { kind: 'no room', ...this.untilRoom(room.nextInMs, calls.roomOfPlatform.now, limits) };
      await this.slots.take(db, { id, platform, userId });
    }
    const at = this.clock.now();
    const attempts = now.attempts + 1;
    const call = { intendedAt: at, firstTriedAt: now.firstTriedAt ?? at, attempts };
    const set = { ...call, lastError: null, waitingFor: null, notBefore: null };
    const reason = `try ${attempts}`;
    await movePublication(db, this.events, id, { from: ['queued'], to: 'publishing', reason, at, set });
    return { kind: 'decided', intended: { ...publication, ...set } };
  }

  /** The same call again, which its platform knows by its key. Should it not be heard of, nobody looks before that time. */
  async repeat(db: Db, publication: Attempted, settledAt: Date): Promise<Attempted> {
    const set = { notBefore: settledAt, lastError: null };
    const { id, attempts } = publication;
    await db
      .update(publications)
      .set({ ...set, attempts })
      .where(eq(publications.id, id));
    return { ...publication, ...set };
  }

  async published(db: Db, { id }: Publication, { postId, url }: Published, reason: string): Promise<void> {
    const at = this.clock.now();
    await this.slots.end(db, id);
    await this.end(db, id, {
      ...{ to: 'published', reason, at },
      set: { platformPostId: postId, platformUrl: url ?? null, publishedAt: at, lastError: null },
    });
  }

  /** Nothing was published; it waits for another try. `uncounted`: this one costs no attempt. */
  async again(db: Db, publication: Publication, { until, reason, waitingFor, uncounted }: Again): Promise<void> {
    const { id, attempts } = publication;
    await this.slots.release(db, id);
    const counted = {
      attempts: Math.max(0, uncounted ? attempts - 1 : attempts),
      lastError: uncounted ? publication.lastError : reason,
    };
    await this.end(db, id, {
      ...{ to: 'scheduled', reason, at: this.clock.now() },
      set: { ...counted, notBefore: until, waitingFor },
    });
  }

  /** Nobody knows yet how the call ended: the next run looks. */
  async lookLater(db: Db, { id }: Publication, { until, lastError }: LookLater): Promise<void> {
    const waitingFor = 'a look at the platform, whether the post is there';
    await db.update(publications).set({ notBefore: until, lastError, waitingFor }).where(eq(publications.id, id));
  }

  /** An earlier call seems to have come through after all. */
  async suspected(db: Db, { id, createdAt, firstTriedAt }: Publication, reason: string): Promise<void> {
    const at = this.clock.now();
    const set = { intendedAt: at, firstTriedAt: firstTriedAt ?? createdAt, notBefore: at, lastError: reason };
    await movePublication(db, this.events, id, { from: ['queued'], to: 'publishing', reason, at, set });
  }

  async failed(db: Db, { id }: Pick<Publication, 'id'>, reason: string): Promise<void> {
    await this.slots.release(db, id);
    await this.end(db, id, { to: 'failed', reason, at: this.clock.now(), set: { lastError: reason } });
  }

  async expired(db: Db, { id }: Publication, reason: string): Promise<void> {
    await this.slots.release(db, id);
    await this.end(db, id, { to: 'expired', reason, at: this.clock.now() });
  }

  /** A mistake of ours ended its job: if a call was decided on, nobody knows what came of it. */
  async stopped(db: Db, id: string, reason: string): Promise<void> {
    const [now] = await db.select().from(publications).where(eq(publications.id, id));
    if (now?.intendedAt) await this.unknown(db, now, reason);
    else await this.failed(db, { id }, reason);
  }

  async replayed(db: Db, id: string): Promise<void> {
    const at = this.clock.now();
    // As if it were due now: otherwise it might be too late for it.
    const set = { attempts: 0, lastError: null, scheduledAt: at };
    const move = { to: 'queued', reason: 'its dead letter was replayed', at, set } as const;
    await movePublication(db, this.events, id, { ...move, from: ['failed'] });
  }

  /** It was edited while it was prepared: its next try begins with what it is now. */
  async handBack(db: Db, { id }: Publication): Promise<void> {
    const move = { to: 'scheduled', reason: 'it was changed', at: this.clock.now() } as const;
    await movePublication(db, this.events, id, { ...move, from: ['queued'] });
  }

  /** Posts of its account that are other publications'. */
  async others({ id, accountId, createdAt }: Publication): Promise<Set<string>> {
    const found = await this.database.db
      .select({ postId: publications.platformPostId })
      .from(publications)
      .where(
        and(
          ...[eq(publications.accountId, accountId), ne(publications.id, id)],
          ...[isNotNull(publications.platformPostId), gte(publications.publishedAt, createdAt)],
        ),
      );
    return new Set(found.flatMap(({ postId }) => postId ?? []));
  }

  async unknown(db: Db, { id }: Publication, reason: string): Promise<void> {
    await this.slots.end(db, id);
    await this.end(db, id, { to: 'unknown', reason, at: this.clock.now(), set: { lastError: reason } }, true);
  }

  private async end(db: Db, id: string, move: End, keepIntent = false): Promise<void> {
    const set = { intendedAt: null, notBefore: null, waitingFor: null, ...move.set };
    if (keepIntent) delete (set as { intendedAt?: unknown }).intendedAt;
    await movePublication(db, this.events, id, { ...move, set, from: ['scheduled', 'queued', 'publishing'] });
  }

  /**
   * Two posts alike on one account could not be told apart if the end of a call were not known: they take turns, and so do
   * those who ask whether there is one.
   */
  private async hasTwinUnderWay(db: Db, { id, accountId, content }: Publication): Promise<boolean> {
    const alike = JSON.stringify(content);
    await db.execute(sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.twins}, hashtext(${accountId + alike}))`);
    const isTwin = and(
      ...[eq(publications.accountId, accountId), eq(publications.status, 'publishing'), ne(publications.id, id)],
      sql`content = ${alike}::jsonb`,
    );
    return (await db.$count(publications, isTwin)) > 0;
  }

  private untilTwinHasEnded() {
    const reason = 'the end of another post with the same content';
    return { until: new Date(this.clock.now().getTime() + TWIN_MS), reason };
  }

  private untilRoom(nextInMs: number | undefined, ofPlatform: number, limits: Limits) {
    const limit = ofPlatform < 1 ? limits.platform : limits.user;
    const whose = ofPlatform < 1 ? 'all together' : 'each user';
    const reason = `room within the limit of ${limit ? inWords(limit) : ''} for ${whose}`;
    return { until: new Date(this.clock.now().getTime() + (nextInMs ?? UNDER_WAY_MS)), reason };
  }
}

type End = Omit<Parameters<typeof movePublication>[3], 'from'>;

interface Again {
  until: Date;
  reason: string;
  waitingFor: string | null;
  uncounted: boolean;
}

interface Rules {
  limits: Limits;
  /** Whether a post has to wait for the end of another with the same content on its account. */
  takesTurns: boolean;
}

interface LookLater {
  until: Date;
  /** Null if nobody has told how the call ended. */
  lastError: string | null;
}
