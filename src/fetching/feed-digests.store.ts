import { Injectable } from '@nestjs/common';
import { eq, sql } from 'drizzle-orm';
import { Database, type Db } from '../platform/database/database.js';
import { sources } from '../sources/sources.table.js';
import { feedDigests } from './feed-digests.table.js';

@Injectable()
export class FeedDigestsStore {
  constructor(private readonly database: Database) {}

  async find(sourceId: string): Promise<Uint8Array | null> {
    const { id, items } = feedDigests;
    const [found] = await this.database.db.select({ items }).from(feedDigests).where(eq(id, sourceId));
    return found?.items ?? null;
  }

  /** In the transaction that saves the posts and validators. A source that has gone meanwhile takes nothing. */
  async save(db: Db, sourceId: string, items: Uint8Array): Promise<void> {
    await db.execute(sql`
      INSERT INTO ${feedDigests} (id, items)
      SELECT id, ${Buffer.from(items)} FROM ${sources} WHERE id = ${sourceId}
      ON CONFLICT (id) DO UPDATE SET items = excluded.items`);
  }
}
