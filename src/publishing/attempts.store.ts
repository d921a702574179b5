import { Injectable } from '@nestjs/common';
import { and, eq, ne } from 'drizzle-orm';
import { Clock } from '../platform/clock.js';
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
  | { kind: 'decided'; intendedAt: Date; attempts: number }
  | { kind: 'no room'; until: Date; reason: string }
  /** Somebody has cancelled or edited it, or its time has passed. */
  | { kind: 'changed' };

/** So soon a post looks again for room that calls under way may leave. */
const UNDER_WAY_MS = 250;

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
  async intend(db: Db, { id, version, platform, userId }: Publication, limits: Limits): Promise<Intention> {
    const limited = limits.platform !== undefined || limits.user !== undefined;
    if (limited) await this.slots.hold(db, platform);
    const [now] = await db.select().from(publications).where(eq(publications.id, id));
    if (now?.status !== 'queued' || now.version !== version) return { kind: 'changed' };
    if (limited) {
      const calls = await this.slots.calls(platform, limits, db);
      const room = calls.roomFor(userId);
      if (room.now < 1) return { kind: 'no room', ...this.untilRoom(room.nextInMs, calls.roomOfPlatform.now, limits) };
      await this.slots.take(db, { id, platform, userId });
    }
    const intendedAt = this.clock.now();
    const attempts = now.attempts + 1;
    const set = { intendedAt, attempts, waitingFor: null, notBefore: null };
    const reason = `try ${attempts}`;
    await movePublication(db, this.events, id, { from: ['queued'], to: 'publishing', reason, at: intendedAt, set });
    return { kind: 'decided', intendedAt, attempts };
  }

  /** The same call again, which its platform knows by its key. */
  async repeat(db: Db, { id, attempts }: Publication): Promise<void> {
    await db
      .update(publications)
      .set({ attempts: attempts + 1 })
      .where(eq(publications.id, id));
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
  async lookLater(db: Db, { id }: Publication, { until, reason }: { until: Date; reason: string }): Promise<void> {
    await db
      .update(publications)
      .set({ notBefore: until, lastError: reason, waitingFor: 'a look at the platform, whether the post is there' })
      .where(eq(publications.id, id));
  }

  /** An earlier call seems to have come through after all. */
  async suspected(db: Db, { id, createdAt }: Publication, reason: string): Promise<void> {
    const at = this.clock.now();
    const set = { intendedAt: createdAt, notBefore: at, lastError: reason };
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
    const set = { attempts: 0, lastError: null };
    const move = { to: 'queued', reason: 'its dead letter was replayed', at: this.clock.now(), set } as const;
    await movePublication(db, this.events, id, { ...move, from: ['failed'] });
  }

  /** It was edited while it was prepared: its next try begins with what it is now. */
  async handBack(db: Db, { id }: Publication): Promise<void> {
    const move = { to: 'scheduled', reason: 'it was changed', at: this.clock.now() } as const;
    await movePublication(db, this.events, id, { ...move, from: ['queued'] });
  }

  /** Whether another publication of the account is this post. */
  async isTaken({ id, accountId }: Publication, postId: string): Promise<boolean> {
    const taken = and(
      eq(publications.accountId, accountId),
      eq(publications.platformPostId, postId),
      ne(publications.id, id),
    );
    return (await this.database.db.$count(publications, taken)) > 0;
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
