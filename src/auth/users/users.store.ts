import { Injectable } from '@nestjs/common';
import { eq, gt, sql } from 'drizzle-orm';
import { type Page, page } from '../../platform/api/list-query.js';
import { Database, type Db, violates } from '../../platform/database/database.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { userNamesFor } from './user-name.js';
import { users } from './users.table.js';

type UserRow = typeof users.$inferSelect;

interface NewUser {
  externalId?: string | undefined;
  name?: string | undefined;
  userName?: string | undefined;
}

@Injectable()
export class UsersStore {
  constructor(private readonly database: Database) {}

  /** Returns undefined if the external id or the user name is taken. */
  async create(user: NewUser, db: Db = this.database.db) {
    const [created] = await db.insert(users).values(user).onConflictDoNothing().returning();
    return created;
  }

  async find(id: string): Promise<UserRow | undefined> {
    const [user] = await this.database.db.select().from(users).where(eq(users.id, id));
    return user;
  }

  /** Returns the calling application's user, created on first use. Concurrent first uses create one user. */
  async ensure(externalId: string): Promise<string> {
    const known = await this.idByExternalId(externalId);
    const id = known ?? (await this.create({ externalId }))?.id ?? (await this.idByExternalId(externalId));
    if (!id) throw new Error('the user was not stored');
    return id;
  }

  async rename(id: string, userName: string): Promise<void> {
    try {
      await this.database.db.update(users).set({ userName }).where(eq(users.id, id));
    } catch (error) {
      if (!violates(error, 'users_user_name')) throw error;
      throw new ApiError('user_exists', `There is already a user with the user name "${userName}".`);
    }
  }

  /** Names a user without a name. Two users may want the same one at the same time, so each is tried. */
  async ensureUserName(id: string): Promise<string> {
    const user = await this.find(id);
    if (!user) throw new ApiError('not_found', `There is no user ${id}.`);
    if (user.userName !== null) return user.userName;
    for (const userName of userNamesFor(user)) {
      const { rows } = await this.database.db.execute<{ userName: string }>(sql`
        UPDATE ${users} SET user_name = coalesce(user_name, ${userName}) WHERE id = ${id}
          AND NOT EXISTS (SELECT FROM ${users} AS other WHERE lower(other.user_name) = lower(${userName}) AND other.id <> ${id})
        RETURNING user_name AS "userName"`);
      if (rows[0]) return rows[0].userName;
    }
    throw new Error(`every user name for user ${id} is taken`);
  }

  async list({ limit, cursor }: { limit: number; cursor?: [string] | undefined }): Promise<Page<UserRow>> {
    const rows = await this.database.db
      .select()
      .from(users)
      .where(cursor && gt(users.id, cursor[0]))
      .orderBy(users.id)
      .limit(limit + 1);
    return page(rows, limit, (last) => [last.id]);
  }

  private async idByExternalId(externalId: string): Promise<string | undefined> {
    const [user] = await this.database.db.select({ id: users.id }).from(users).where(eq(users.externalId, externalId));
    return user?.id;
  }
}
