import { Injectable } from '@nestjs/common';
import { and, asc, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import { ADVISORY_LOCKS } from '../../platform/database/advisory-locks.js';
import { Database, type Db } from '../../platform/database/database.js';
import { Events } from '../../platform/events/events.js';
import { jobInState } from '../../platform/jobs/job-columns.js';
import { type Move, movePublication } from './move-publication.js';
import { publicationChanged } from './publication-changed.event.js';
import { PRIORITIES, type Priority, type PublicationStatus } from './publication-status.js';
import { type Publication, publicationChanges, publications } from './publications.table.js';

export type PublicationChangeRow = typeof publicationChanges.$inferSelect;

/** A statement takes at most 65,535 parameters, and a row has about 20. */
const INSERT_BATCH = 1_000;

export type NewRow = Pick<
  Publication,
  'userId' | 'accountId' | 'platform' | 'groupId' | 'content' | 'priority' | 'expiresAt'
> &
  Partial<Pick<Publication, 'idempotencyKey' | 'requestHash'>> &
  Pick<Publication, 'scheduledAt' | 'localTime' | 'timezone' | 'slotAt'>;

interface Filter {
  status?: PublicationStatus | undefined;
  accountId?: string | undefined;
  priority?: Priority | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  limit: number;
}

type Order =
  | { order: 'newest'; before: string | undefined }
  | { order: 'due'; after: [scheduledAt: string, id: string] | undefined };

@Injectable()
export class PublicationsStore {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
  ) {}

  /** Returns undefined if the slot was taken meanwhile. */
  async insert(db: Db, row: NewRow, at: Date): Promise<Publication | undefined> {
    const [stored] = await db
      .insert(publications)
      .values({ ...row, status: 'scheduled', createdAt: at, ...jobInState('idle') })
      .onConflictDoNothing()
      .returning();
    if (!stored) return undefined;
    const { id: publicationId, userId } = stored;
    await db
      .insert(publicationChanges)
      .values({ publicationId, at, from: null, to: 'scheduled', reason: 'it was made' });
    await this.events.publish(db, publicationChanged, { publicationId, userId });
    return stored;
  }

  /** Rows are numbered in the order given, and none may be in a slot. */
  async insertAll(db: Db, rows: NewRow[], at: Date): Promise<Publication[]> {
    const made: Publication[] = [];
    for (let from = 0; from < rows.length; from += INSERT_BATCH) {
      const values = rows
        .slice(from, from + INSERT_BATCH)
        .map((row) => ({ ...row, status: 'scheduled' as const, createdAt: at, ...jobInState('idle') }));
      made.push(...(await db.insert(publications).values(values).returning()));
    }
    const changed = made.map(({ id: publicationId, userId }) => ({ publicationId, userId }));
    const ids = sql.param(made.map(({ id }) => id));
    await db.execute(sql`
      INSERT INTO ${publicationChanges} (publication_id, at, "from", "to", reason)
      SELECT id, ${at.toISOString()}::timestamptz, NULL, 'scheduled', 'it was made' FROM unnest(${ids}::bigint[]) AS id`);
    await this.events.publishAll(db, publicationChanged, changed);
    return made;
  }

  /** Requests with the same idempotency key wait until the transaction ends. */
  async withKey<T>(userId: string, key: string | undefined, work: (db: Db) => Promise<T>): Promise<T> {
    const lock = ADVISORY_LOCKS.idempotencyKeys;
    return this.database.transaction(async (db) => {
      if (key !== undefined)
        await db.execute(sql`SELECT pg_advisory_xact_lock(${lock}, hashtext(${`${userId} ${key}`}))`);
      return work(db);
    });
  }

  async madeWith(userId: string, key: string, db: Db = this.database.db): Promise<Publication[]> {
    return db
      .select()
      .from(publications)
      .where(and(eq(publications.userId, userId), eq(publications.idempotencyKey, key)))
      .orderBy(asc(publications.id));
  }

  async find(userId: string, id: string): Promise<Publication | undefined> {
    const [found] = await this.database.db
      .select()
      .from(publications)
      .where(and(eq(publications.id, id), eq(publications.userId, userId)));
    return found;
  }

  /** Returns undefined if the publication does not exist, if `decide` returns no move, or if it is too late. */
  async change(id: string, decide: (held: Publication, db: Db) => Promise<Move | undefined>) {
    return this.database.transaction(async (db) => {
      const [held] = await db.select().from(publications).where(eq(publications.id, id)).for('no key update');
      const move = held && (await decide(held, db));
      return move && movePublication(db, this.events, id, move);
    });
  }

  async findAll(ids: string[]): Promise<Publication[]> {
    if (!ids.length) return [];
    return this.database.db
      .select()
      .from(publications)
      .where(inArray(publications.id, ids))
      .orderBy(asc(publications.id));
  }

  async list(
    userId: string,
    { status, accountId, priority, from, to, limit, ...position }: Filter & Order,
  ): Promise<Publication[]> {
    const { id, scheduledAt } = publications;
    return this.database.db
      .select()
      .from(publications)
      .where(
        and(
          eq(publications.userId, userId),
          status && eq(publications.status, status),
          accountId ? eq(publications.accountId, accountId) : undefined,
          priority && eq(publications.priority, PRIORITIES.indexOf(priority)),
          from && gte(publications.scheduledAt, from),
          to && lt(publications.scheduledAt, to),
          beyond(position),
        ),
      )
      .orderBy(...(position.order === 'due' ? [asc(scheduledAt), asc(id)] : [desc(id)]))
      .limit(limit);
  }

  async histories(ids: string[]): Promise<Map<string, PublicationChangeRow[]>> {
    const changes = ids.length
      ? await this.database.db
          .select()
          .from(publicationChanges)
          .where(inArray(publicationChanges.publicationId, ids))
          .orderBy(asc(publicationChanges.id))
      : [];
    const histories = new Map<string, PublicationChangeRow[]>();
    for (const change of changes) {
      const history = histories.get(change.publicationId) ?? [];
      histories.set(change.publicationId, history);
      history.push(change);
    }
    return histories;
  }

  async takenSlots(accountId: string, from: Date, db: Db = this.database.db): Promise<Map<number, string>> {
    const taken = await db
      .select({ id: publications.id, slotAt: publications.slotAt })
      .from(publications)
      .where(
        and(
          eq(publications.accountId, accountId),
          gte(publications.slotAt, from),
          sql`status NOT IN ('cancelled', 'expired', 'failed')`,
        ),
      );
    return new Map(taken.map(({ id, slotAt }) => [slotAt?.getTime() ?? 0, id]));
  }
}

function beyond(position: Order) {
  if (position.order === 'newest') return position.before ? lt(publications.id, position.before) : undefined;
  if (!position.after) return undefined;
  const [scheduledAt, id] = position.after;
  return sql`(${publications.scheduledAt}, ${publications.id}) > (${scheduledAt}::timestamptz, ${id}::bigint)`;
}
