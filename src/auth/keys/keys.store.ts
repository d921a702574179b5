import { Injectable } from '@nestjs/common';
import { and, asc, desc, eq, getTableColumns, gt, inArray, isNotNull, isNull, ne, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { type Page, page } from '../../platform/api/list-query.js';
import { Id } from '../../platform/database/columns.js';
import { Database, type Db } from '../../platform/database/database.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { defineEvent, Events } from '../../platform/events/events.js';
import { Clock } from '../../platform/time/clock.js';
import { KEY_SCOPES, type KeyScope, type Scope, type User } from '../users/user.js';
import { keys } from './keys.table.js';
import { hashOf, newKey, prefixOf } from './secret.js';

export const keyRevoked = defineEvent('key-revoked', z.object({ keyId: Id }));

const { hash: _, configured: __, ...shown } = getTableColumns(keys);
export const OWNER = { id: keys.userId, scope: keys.scope, scopes: keys.scopes, keyId: keys.id };
export const ownerOf = (row: User): User => ({ ...row, scopes: scopesOf(row) });
export const scopesOf = ({ scope, scopes }: Pick<User, 'scope' | 'scopes'>): readonly KeyScope[] =>
  scope === 'admin' ? KEY_SCOPES : scopes;

const usableAdmin = and(eq(keys.scope, 'admin'), isNull(keys.revokedAt));

interface NewKey {
  userId: string;
  scope: Scope;
  scopes?: KeyScope[] | undefined;
  name?: string | undefined;
}

interface KeyFilter {
  limit: number;
  cursor?: [string] | undefined;
  userId?: string | undefined;
}

@Injectable()
export class KeysStore {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  /** The key itself is known at this moment only. */
  async create(input: NewKey, db: Db = this.database.db) {
    const key = newKey();
    const [row] = await db
      .insert(keys)
      .values({ ...input, hash: hashOf(key), prefix: prefixOf(key) })
      .returning(shown);
    if (!row) throw new Error('a key was not stored');
    return { ...row, key };
  }

  async findUsable(key: string, db: Db = this.database.db): Promise<User | undefined> {
    const [found] = await db
      .select(OWNER)
      .from(keys)
      .where(and(eq(keys.hash, hashOf(key)), isNull(keys.revokedAt)));
    return found && ownerOf(found);
  }

  async list({
    limit,
    cursor,
    userId,
  }: KeyFilter): Promise<Page<Omit<typeof keys.$inferSelect, 'hash' | 'configured'>>> {
    const rows = await this.database.db
      .select(shown)
      .from(keys)
      .where(and(cursor && gt(keys.id, cursor[0]), userId ? eq(keys.userId, userId) : undefined))
      .orderBy(keys.id)
      .limit(limit + 1);
    return page(rows, limit, (last) => [last.id]);
  }

  /** `owner` restricts it to that user's keys. The lock prevents two calls from revoking the last two admin keys. */
  async revoke(id: string, owner?: string): Promise<void> {
    await this.database.transaction(async (db) => {
      const admins = await db.select({ id: keys.id }).from(keys).where(usableAdmin).orderBy(keys.id).for('update');
      const [key] = await db
        .select()
        .from(keys)
        .where(and(eq(keys.id, id), owner ? eq(keys.userId, owner) : undefined));
      if (!key) throw new ApiError('not_found', `There is no key ${id}.`);
      if (key.revokedAt) return;
      if (admins.length === 1 && admins[0]?.id === id) {
        throw new ApiError('last_admin_key', 'This is the last admin key that works; make another one first.');
      }
      await this.retire(db, eq(keys.id, id));
    });
  }

  async revokedAmong(ids: string[]): Promise<string[]> {
    if (!ids.length) return [];
    const rows = await this.database.db
      .select({ id: keys.id })
      .from(keys)
      .where(and(inArray(keys.id, ids), isNotNull(keys.revokedAt)));
    return rows.map(({ id }) => id);
  }

  /** Returns the admin key for sign-in links: the configured one, or else the oldest. */
  async firstAdmin(db: Db = this.database.db): Promise<User | undefined> {
    const [found] = await db
      .select(OWNER)
      .from(keys)
      .where(usableAdmin)
      .orderBy(desc(keys.configured), asc(keys.id))
      .limit(1);
    return found && ownerOf(found);
  }

  async takeConfigured(key: string, userId: string, db: Db): Promise<void> {
    const hash = hashOf(key);
    const taken = { scope: 'admin', configured: true, revokedAt: null } as const;
    await db
      .insert(keys)
      .values({ ...taken, hash, prefix: prefixOf(key), userId, name: 'configured' })
      .onConflictDoUpdate({ target: keys.hash, set: taken });
    await this.retireConfigured(db, ne(keys.hash, hash));
  }

  async retireConfigured(db: Db, which?: SQL): Promise<void> {
    await this.retire(db, and(eq(keys.configured, true), isNull(keys.revokedAt), which));
  }

  private async retire(db: Db, which: SQL | undefined): Promise<void> {
    const revoked = { revokedAt: this.clock.now() };
    const retired = await db.update(keys).set(revoked).where(which).returning({ keyId: keys.id });
    if (retired.length) await this.events.publishAll(db, keyRevoked, retired);
  }
}
