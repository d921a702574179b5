import { and, desc, eq, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.js';
import { posts } from '../../posts/posts.table.js';

/** As many as a feed shows as a rule. */
const NEWEST = 50;

/** When the newest stored posts of a source were published, as far as they said so. For one that nothing was learned of yet. */
export async function storedHistory(db: Db, sourceId: string): Promise<Date[]> {
  const { publishedAt, foundAt } = posts;
  const stored = await db
    .select({ publishedAt })
    .from(posts)
    .where(and(eq(posts.sourceId, sourceId), sql`${publishedAt} < ${foundAt} - interval '1 second'`))
    .orderBy(desc(publishedAt), desc(posts.id))
    .limit(NEWEST);
  return stored.map((post) => post.publishedAt);
}
