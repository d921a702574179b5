import { Injectable } from '@nestjs/common';
import { and, eq, isNull } from 'drizzle-orm';
import { keys } from '../auth/keys/keys.table.js';
import { hashOf, newToken } from '../auth/keys/secret.js';
import type { User } from '../auth/users/user.js';
import { users } from '../auth/users/users.table.js';
import { Database } from '../platform/database/database.js';
import { feedTokens } from './feed-tokens.table.js';

/** A token is valid as long as the key that created it. A user has at most one. */
@Injectable()
export class FeedTokensStore {
  constructor(private readonly database: Database) {}

  async replace({ id: userId, keyId }: Pick<User, 'id' | 'keyId'>): Promise<string> {
    const token = newToken();
    await this.database.transaction(async (db) => {
      // The lock makes concurrent calls wait, so that the second replaces the token of the first.
      await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
      await db.delete(feedTokens).where(eq(feedTokens.userId, userId));
      await db.insert(feedTokens).values({ hash: hashOf(token), userId, keyId });
    });
    return token;
  }

  async remove(userId: string): Promise<void> {
    await this.database.db.delete(feedTokens).where(eq(feedTokens.userId, userId));
  }

  async userOf(token: string): Promise<string | undefined> {
    const [found] = await this.database.db
      .select({ userId: feedTokens.userId })
      .from(feedTokens)
      .leftJoin(keys, eq(keys.id, feedTokens.keyId))
      .where(and(eq(feedTokens.hash, hashOf(token)), isNull(keys.revokedAt)));
    return found?.userId;
  }
}
