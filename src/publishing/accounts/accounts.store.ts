import { Injectable } from '@nestjs/common';
import { and, asc, desc, eq, gt, inArray, isNull, lt, ne, notLike, sql } from 'drizzle-orm';
import { Database, type Db } from '../../platform/database/database.js';
import { storableText } from '../../platform/queue/storable.js';
import type { ToldLimit } from '../platform.js';
import { publications } from '../publications/publications.table.js';
import { WAITS_FOR } from '../publications/why-it-waits.js';
import { DuePublicationsStore } from '../sending/due-publications.store.js';
import { type Account, accounts } from './accounts.table.js';

type NewAccount = Pick<Account, 'userId' | 'platform' | 'name' | 'credentials'> &
  Partial<Pick<Account, 'status' | 'lastError' | 'platformId' | 'platformName' | 'checkedAt' | 'slots'>>;

/** What is undefined stays as it is. */
type AccountEdit = { [Column in keyof Account]?: Account[Column] | undefined };

@Injectable()
export class AccountsStore {
  constructor(
    private readonly database: Database,
    private readonly due: DuePublicationsStore,
  ) {}

  async insert(account: NewAccount): Promise<Account> {
    const [stored] = await this.database.db.insert(accounts).values(account).returning();
    if (!stored) throw new Error('an account was not stored');
    return stored;
  }

  /** One that was removed is not there. */
  async find(userId: string, id: string): Promise<Account | undefined> {
    const [found] = await this.database.db
      .select()
      .from(accounts)
      .where(and(eq(accounts.id, id), eq(accounts.userId, userId), isNull(accounts.removedAt)));
    return found;
  }

  /** Those of a user's, removed ones left out. */
  async findAll(userId: string, ids: string[]): Promise<Account[]> {
    return this.database.db.select().from(accounts).where(livingOf(userId, ids));
  }

  /** Keeps them from being removed until the transaction ends, and waits for nobody else. Returns those that are there. */
  async keep(db: Db, userId: string, ids: string[]): Promise<string[]> {
    const kept = await db.select({ id: accounts.id }).from(accounts).where(livingOf(userId, ids)).for('key share');
    return kept.map(({ id }) => id);
  }

  /** False if it was removed before. From now on nothing can be made for it. */
  async remove(db: Db, id: string, at: Date): Promise<boolean> {
    const [held] = await db
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.id, id), isNull(accounts.removedAt)))
      .for('update');
    if (held) await this.change(id, { removedAt: at }, db);
    return held !== undefined;
  }

  /** Also removed ones: a publication may outlive its account. */
  async ofPublications(ids: string[]): Promise<Map<string, Account>> {
    const found = ids.length ? await this.database.db.select().from(accounts).where(inArray(accounts.id, ids)) : [];
    return new Map(found.map((account) => [account.id, account]));
  }

  /** Newest first. */
  async list(userId: string, { before, limit }: { before?: string | undefined; limit: number }): Promise<Account[]> {
    return this.database.db
      .select()
      .from(accounts)
      .where(
        and(
          eq(accounts.userId, userId),
          isNull(accounts.removedAt),
          before === undefined ? undefined : lt(accounts.id, before),
        ),
      )
      .orderBy(desc(accounts.id))
      .limit(limit);
  }

  async change(id: string, change: AccountEdit, db: Db = this.database.db): Promise<void> {
    await db.update(accounts).set(change).where(eq(accounts.id, id));
  }

  /** Holds it: two who renew its credentials take turns. */
  async hold(db: Db, id: string): Promise<Account | undefined> {
    const [held] = await db.select().from(accounts).where(eq(accounts.id, id)).for('no key update');
    return held;
  }

  /** The platform wants none of its posts until then. */
  async close(id: string, { until, reason }: { until: Date; reason: string }): Promise<void> {
    await this.change(id, { closedUntil: until, closedBecause: storableText(reason) });
  }

  /** What a platform says about its limit goes before what we count. */
  async heed({ id, closedUntil }: Account, { remaining, until }: ToldLimit): Promise<void> {
    if (remaining <= 0) await this.close(id, { until, reason: 'it has taken as many posts as it takes for now' });
    // Only a call that was made after the account was closed shows that the platform takes posts again.
    else if (closedUntil) await this.reopen(id, closedUntil);
  }

  /** The platform takes its posts again: those that waited for that are due. Not if it was closed anew since `closedUntil`. */
  async reopen(id: string, closedUntil: Date): Promise<void> {
    const [reopened] = await this.database.db
      .update(accounts)
      .set({ closedUntil: null, closedBecause: null })
      .where(and(eq(accounts.id, id), eq(accounts.closedUntil, closedUntil)))
      .returning({ id: accounts.id });
    if (reopened) await this.due.reconsider(WAITS_FOR.platform, id);
  }

  async breakDown(id: string, reason: string): Promise<void> {
    await this.change(id, { status: 'broken', lastError: storableText(reason) });
  }

  /** Those whose credentials an older key has sealed. */
  async sealedOtherwise(prefix: string, { after, limit }: { after: string; limit: number }): Promise<Account[]> {
    const otherwise = and(notLike(accounts.credentials, `${prefix}%`), ne(accounts.credentials, ''));
    return this.database.db
      .select()
      .from(accounts)
      .where(and(otherwise, gt(accounts.id, after)))
      .orderBy(asc(accounts.id))
      .limit(limit);
  }

  /** Unless they have changed meanwhile. */
  async reseal(id: string, { from, to }: { from: string; to: string }): Promise<boolean> {
    const { rowCount } = await this.database.db
      .update(accounts)
      .set({ credentials: to })
      .where(and(eq(accounts.id, id), eq(accounts.credentials, from)));
    return rowCount === 1;
  }

  /** Credentials of removed accounts, unless a call of theirs may have to be looked into. */
  async forgetRemoved(): Promise<void> {
    await this.database.db.execute(sql`
      UPDATE ${accounts} SET credentials = '' WHERE removed_at IS NOT NULL AND credentials <> '' AND NOT EXISTS (
        SELECT FROM ${publications} WHERE account_id = accounts.id AND ${publications}.status = 'publishing')`);
  }
}

const livingOf = (userId: string, ids: string[]) =>
  and(eq(accounts.userId, userId), inArray(accounts.id, ids), isNull(accounts.removedAt));
