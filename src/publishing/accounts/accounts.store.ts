import { Injectable } from '@nestjs/common';
import { and, asc, desc, eq, gt, inArray, isNull, lt, ne, notLike, sql } from 'drizzle-orm';
import { Database, type Db } from '../../platform/database/database.js';
import { storableText } from '../../platform/jobs/storable.js';
import type { AnnouncedLimit } from '../platform.js';
import { publications } from '../publications/publications.table.js';
import { WAITS_FOR } from '../publications/why-it-waits.js';
import { DuePublicationsStore } from '../sending/due-publications.store.js';
import { type Account, accounts } from './accounts.table.js';

type NewAccount = Pick<Account, 'userId' | 'platform' | 'name' | 'credentials'> &
  Partial<Pick<Account, 'status' | 'lastError' | 'platformId' | 'platformName' | 'checkedAt' | 'slots'>>;

/** An undefined value leaves the column unchanged. */
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

  async find(userId: string, id: string): Promise<Account | undefined> {
    const [found] = await this.database.db
      .select()
      .from(accounts)
      .where(and(eq(accounts.id, id), eq(accounts.userId, userId), isNull(accounts.removedAt)));
    return found;
  }

  async findAll(userId: string, ids: string[]): Promise<Account[]> {
    return this.database.db.select().from(accounts).where(livingOf(userId, ids));
  }

  /** Returns false if the account was removed before. From then on no publication can be created for it. */
  async remove(db: Db, id: string, at: Date): Promise<boolean> {
    const [held] = await db
      .select({ id: accounts.id })
      .from(accounts)
      .where(and(eq(accounts.id, id), isNull(accounts.removedAt)))
      .for('update');
    if (held) await this.change(id, { removedAt: at }, db);
    return held !== undefined;
  }

  /** Includes removed accounts, because a publication may outlive its account. */
  async ofPublications(ids: string[]): Promise<Map<string, Account>> {
    const found = ids.length ? await this.database.db.select().from(accounts).where(inArray(accounts.id, ids)) : [];
    return new Map(found.map((account) => [account.id, account]));
  }

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

  async hold(db: Db, id: string): Promise<Account | undefined> {
    const [held] = await db.select().from(accounts).where(eq(accounts.id, id)).for('no key update');
    return held;
  }

  async close(id: string, { until, reason }: { until: Date; reason: string }): Promise<void> {
    await this.change(id, { closedUntil: until, closedBecause: storableText(reason) });
  }

  /** Applies a limit that the platform announced. It takes precedence over our own count. */
  async applyRateLimit({ id, closedUntil }: Account, { remaining, until }: AnnouncedLimit): Promise<void> {
    if (remaining <= 0) await this.close(id, { until, reason: 'it has taken as many posts as it takes for now' });
    // Only a call that was made after the account was closed shows that the platform accepts posts again.
    else if (closedUntil) await this.reopen(id, closedUntil);
  }

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

  async sealedOtherwise(prefix: string, { after, limit }: { after: string; limit: number }): Promise<Account[]> {
    const otherwise = and(notLike(accounts.credentials, `${prefix}%`), ne(accounts.credentials, ''));
    return this.database.db
      .select()
      .from(accounts)
      .where(and(otherwise, gt(accounts.id, after)))
      .orderBy(asc(accounts.id))
      .limit(limit);
  }

  async reseal(id: string, { from, to }: { from: string; to: string }): Promise<boolean> {
    const { rowCount } = await this.database.db
      .update(accounts)
      .set({ credentials: to })
      .where(and(eq(accounts.id, id), eq(accounts.credentials, from)));
    return rowCount === 1;
  }

  /** Deletes the credentials of removed accounts, unless one of their calls may have to be reconciled. */
  async forgetRemoved(): Promise<void> {
    await this.database.db.execute(sql`
      UPDATE ${accounts} SET credentials = '' WHERE removed_at IS NOT NULL AND credentials <> '' AND NOT EXISTS (
        SELECT FROM ${publications} WHERE account_id = accounts.id AND ${publications}.status = 'publishing')`);
  }
}

const livingOf = (userId: string, ids: string[]) =>
  and(eq(accounts.userId, userId), inArray(accounts.id, ids), isNull(accounts.removedAt));

/** Keeps accounts from being removed until the transaction ends. Returns those that exist. */
export async function keepAccounts(db: Db, userId: string, ids: string[]): Promise<string[]> {
  const kept = await db.select({ id: accounts.id }).from(accounts).where(livingOf(userId, ids)).for('key share');
  return kept.map(({ id }) => id);
}
