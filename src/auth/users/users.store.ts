import { Injectable } from '@nestjs/common';
import { eq, gt } from 'drizzle-orm';
import { type Page, page } from '../../platform/api/list-query.js';
import { Database, type Db } from '../../platform/database/database.js';
import { users } from './users.table.js';

type UserRow = typeof users.$inferSelect;

@Injectable()
export class UsersStore {
  constructor(private readonly database: Database) {}

  /** Returns undefined if the external id is taken. */
  async create(user: { externalId?: string | undefined; name?: string | undefined }, db: Db = this.database.db) {
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
