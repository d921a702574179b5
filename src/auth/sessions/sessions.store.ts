import { Injectable } from '@nestjs/common';
import { and, eq, gt, isNull, lt } from 'drizzle-orm';
import { Database } from '../../platform/database/database.js';
import { Clock } from '../../platform/time/clock.js';
import { OWNER, ownerOf } from '../keys/keys.store.js';
import { keys } from '../keys/keys.table.js';
import { hashOf, newToken } from '../keys/secret.js';
import type { User } from '../users/user.js';
import { sessions, signInLinks } from './sessions.table.js';

export const SESSION_SECONDS = 30 * 24 * 60 * 60;
const LINK_MS = 15 * 60 * 1000;

@Injectable()
export class SessionsStore {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async start(keyId: string): Promise<string> {
    const now = this.clock.now();
    await this.database.db.delete(sessions).where(lt(sessions.expiresAt, now));
    const token = newToken();
    const expiresAt = new Date(now.getTime() + SESSION_SECONDS * 1000);
    await this.database.db.insert(sessions).values({ hash: hashOf(token), keyId, expiresAt });
    return token;
  }

  async find(token: string): Promise<User | undefined> {
    const [found] = await this.database.db
      .select(OWNER)
      .from(sessions)
      .innerJoin(keys, eq(keys.id, sessions.keyId))
      .where(and(eq(sessions.hash, hashOf(token)), gt(sessions.expiresAt, this.clock.now()), isNull(keys.revokedAt)));
    return found && ownerOf(found);
  }

  async end(token: string): Promise<void> {
    await this.database.db.delete(sessions).where(eq(sessions.hash, hashOf(token)));
  }

  async createLink(keyId: string): Promise<{ path: string; expiresAt: Date }> {
    const now = this.clock.now();
    await this.database.db.delete(signInLinks).where(lt(signInLinks.expiresAt, now));
    const token = newToken();
    const expiresAt = new Date(now.getTime() + LINK_MS);
    await this.database.db.insert(signInLinks).values({ hash: hashOf(token), keyId, expiresAt });
    return { path: `/sign-in?token=${token}`, expiresAt };
  }

  /** The link is deleted, so that it works once. */
  async useLink(token: string): Promise<string | undefined> {
    const [used] = await this.database.db
      .delete(signInLinks)
      .where(and(eq(signInLinks.hash, hashOf(token)), gt(signInLinks.expiresAt, this.clock.now())))
      .returning({ keyId: signInLinks.keyId });
    return used?.keyId;
  }
}
