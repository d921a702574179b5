import { eq, sql } from 'drizzle-orm';
import type { Database, Db } from '../../platform/database/database.js';
import { PreparedQuery } from '../../platform/database/prepared-query.js';
import { feedDigests } from './feed-digests.table.js';

const { placeholder } = sql;

const finding = new PreparedQuery<{ items: Buffer }>(
  sql`SELECT items FROM ${feedDigests} WHERE id = ${placeholder('sourceId')}`,
);
export async function findDigests({ pool }: Database, sourceId: string): Promise<Uint8Array | null> {
  const [found] = await finding.run(pool, { sourceId });
  return found?.items ?? null;
}

export async function deleteDigests(db: Db, sourceId: string): Promise<void> {
  await db.delete(feedDigests).where(eq(feedDigests.id, sourceId));
}
