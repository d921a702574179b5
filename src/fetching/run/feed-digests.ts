import { eq, sql } from 'drizzle-orm';
import type { Database, Db } from '../../platform/database/database.js';
import { PreparedQuery } from '../../platform/database/prepared-query.js';
import { sources } from '../../sources/sources.table.js';
import { feedDigests } from './feed-digests.table.js';

const { placeholder } = sql;

const finding = new PreparedQuery<{ items: Buffer }>(
  sql`SELECT items FROM ${feedDigests} WHERE id = ${placeholder('sourceId')}`,
);
const saving = new PreparedQuery(sql`
  INSERT INTO ${feedDigests} (id, items)
  SELECT id, ${placeholder('items')}::bytea FROM ${sources} WHERE id = ${placeholder('sourceId')}
  ON CONFLICT (id) DO UPDATE SET items = excluded.items`);

export async function findDigests({ pool }: Database, sourceId: string): Promise<Uint8Array | null> {
  const [found] = await finding.run(pool, { sourceId });
  return found?.items ?? null;
}

/** Call inside the transaction that saves the posts and validators. Does nothing if the source was deleted. */
export async function saveDigests(db: Db, sourceId: string, items: Uint8Array): Promise<void> {
  await saving.run(db.$client, { sourceId, items: Buffer.from(items) });
}

export async function deleteDigests(db: Db, sourceId: string): Promise<void> {
  await db.delete(feedDigests).where(eq(feedDigests.id, sourceId));
}
