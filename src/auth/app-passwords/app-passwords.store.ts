import { createHash, randomInt } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { Database } from '../../platform/database/database.js';
import { PreparedQuery } from '../../platform/database/prepared-query.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { Clock } from '../../platform/time/clock.js';
import { hashOf } from '../keys/secret.js';
import { ExpiringSet } from '../limits/expiring-set.js';
import { UsersStore } from '../users/users.store.js';
import { users } from '../users/users.table.js';
import { appPasswords } from './app-passwords.table.js';

/** Without letters and digits that look alike, because people type passwords on phones. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 5;
const GROUP_LENGTH = 4;

const USE_INTERVAL_MS = 60_000;

const { hash: _, feverHash: __, ...shown } = getTableColumns(appPasswords);

type FoundPassword = { id: string; userId: string };

const foundBy = (column: SQL) =>
  new PreparedQuery<FoundPassword>(sql`
    SELECT id, user_id AS "userId" FROM ${appPasswords} WHERE ${column} = ${sql.placeholder('hash')}`);
const byHash = new PreparedQuery<FoundPassword>(sql`
  SELECT password.id, user_id AS "userId" FROM ${appPasswords} AS password JOIN ${users} AS owner ON owner.id = user_id
  WHERE hash = ${sql.placeholder('hash')} AND (
    ${sql.placeholder('userName')}::text IS NULL
    OR lower(${sql.placeholder('userName')}::text) IN (lower(password.user_name), lower(owner.user_name)))`);
const byFeverHash = foundBy(sql`fever_hash`);

/** A password is known at the moment of its creation only. A revoked one is gone at once, because nothing caches it. */
@Injectable()
export class AppPasswordsStore implements OnApplicationShutdown {
  private readonly recentlyUsed = new ExpiringSet(USE_INTERVAL_MS);
  private readonly writing = new Set<Promise<unknown>>();

  constructor(
    private readonly database: Database,
    private readonly users: UsersStore,
    private readonly clock: Clock,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async create(userId: string, name: string) {
    const userName = await this.users.ensureUserName(userId);
    const password = newPassword();
    const hashes = { hash: hashOf(password), feverHash: hashOf(feverDigest(userName, password)) };
    const [row] = await this.database.db
      .insert(appPasswords)
      .values({ userId, name, userName, ...hashes })
      .returning(shown);
    if (!row) throw new Error('an app password was not stored');
    return { ...row, password };
  }

  list(userId: string) {
    return this.database.db
      .select(shown)
      .from(appPasswords)
      .where(eq(appPasswords.userId, userId))
      .orderBy(desc(appPasswords.id));
  }

  async revoke(userId: string, id: string): Promise<void> {
    const own = and(eq(appPasswords.id, id), eq(appPasswords.userId, userId));
    const { rowCount } = await this.database.db.delete(appPasswords).where(own);
    if (!rowCount) throw new ApiError('not_found', `There is no app password ${id}.`);
  }

  /** Without a user name any will do. People copy passwords with spaces around them. */
  async find(password: string, userName?: string): Promise<FoundPassword | undefined> {
    const values = { hash: hashOf(password.trim()), userName: userName?.trim() ?? null };
    return this.used((await byHash.run(this.database.pool, values))[0]);
  }

  /** `apiKey` is the md5 of `userName:password` in hexadecimal digits of any case. */
  async findByFeverKey(apiKey: string): Promise<FoundPassword | undefined> {
    return this.used((await byFeverHash.run(this.database.pool, { hash: hashOf(apiKey.toLowerCase()) }))[0]);
  }

  async onApplicationShutdown() {
    await Promise.all(this.writing);
  }

  /** Written at most once a minute, and in the background. */
  private used(found: FoundPassword | undefined): FoundPassword | undefined {
    const now = this.clock.now();
    if (!found || !this.recentlyUsed.add(found.id, now.getTime())) return found;
    const write = this.database.db
      .update(appPasswords)
      .set({ lastUsedAt: now })
      .where(eq(appPasswords.id, found.id))
      .catch((err) => {
        this.recentlyUsed.forget(found.id);
        this.log.warn({ event: 'password_use_not_recorded', err }, 'The use of an app password could not be recorded');
      })
      .finally(() => this.writing.delete(write));
    this.writing.add(write);
    return found;
  }
}

/** 99 random bits, so a plain hash cannot be reversed by guessing. */
function newPassword(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

/** The Fever API asks for this digest. Only its hash is stored. */
const feverDigest = (userName: string, password: string) =>
  createHash('md5').update(`${userName}:${password}`).digest('hex');
