import { Injectable } from '@nestjs/common';
import { and, eq, gt, lt } from 'drizzle-orm';
import { Database } from '../../platform/database/database.js';
import { Clock } from '../../platform/time/clock.js';
import { hashOf, newToken } from '../keys/secret.js';
import { signInLinks } from './sessions.table.js';

const VALID_MS = 15 * 60 * 1000;

@Injectable()
export class SignInLinksStore {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Returns a path that signs in the first person who opens it as the owner of the key. */
  async create(keyId: string): Promise<{ path: string; expiresAt: Date }> {
    const now = this.clock.now();
    await this.database.db.delete(signInLinks).where(lt(signInLinks.expiresAt, now));
    const token = newToken();
    const expiresAt = new Date(now.getTime() + VALID_MS);
    await this.database.db.insert(signInLinks).values({ hash: hashOf(token), keyId, expiresAt });
    return { path: `/sign-in?token=${token}`, expiresAt };
  }

  /** Returns the key of a link and deletes the link, so that it works once. */
  async use(token: string): Promise<string | undefined> {
    const [used] = await this.database.db
      .delete(signInLinks)
      .where(and(eq(signInLinks.hash, hashOf(token)), gt(signInLinks.expiresAt, this.clock.now())))
      .returning({ keyId: signInLinks.keyId });
    return used?.keyId;
  }
}
