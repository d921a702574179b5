import { Injectable } from '@nestjs/common';
import { and, sql } from 'drizzle-orm';
import { Database } from '../platform/database/database.js';
import { marks } from '../posts/marks.table.js';
import { posts } from '../posts/posts.table.js';
import { readRanges } from '../posts/read-ranges.table.js';
import { inFolder } from '../posts/timeline-queries.js';
import { follows } from '../sources/follows.table.js';
import { sources } from '../sources/sources.table.js';

interface Which {
  source?: string | undefined;
  folder?: string | undefined;
}

@Injectable()
export class ReadAllStore {
  constructor(private readonly database: Database) {}

  /** Posts marked as unread are included. Returns the number of sources. */
  async readAll(userId: string, { source, folder }: Which): Promise<number> {
    const which = and(
      sql`f.user_id = ${userId}`,
      source === undefined ? undefined : sql`f.source_id = ${source}`,
      folder === undefined ? undefined : inFolder(sql`${folder}::text`),
    );
    return this.database.transaction(async (db) => {
      // Rows are locked in one order, so that concurrent calls wait for each other instead of deadlocking.
      await db.execute(sql`SELECT FROM ${follows} f WHERE ${which} ORDER BY f.source_id FOR NO KEY UPDATE`);
      const { rowCount } = await db.execute(sql`
        UPDATE ${follows} f SET read_up_to = greatest(s.last_post_id, f.read_up_to)
        FROM ${sources} s WHERE s.id = f.source_id AND ${which}`);
      await db.execute(sql`
        UPDATE ${marks} m SET read = NULL FROM ${posts} p, ${follows} f
        WHERE m.user_id = ${userId} AND m.read = false AND p.id = m.post_id
          AND f.source_id = p.source_id AND p.id <= f.read_up_to AND ${which}`);
      await db.execute(sql`
        DELETE FROM ${readRanges} r USING ${follows} f
        WHERE r.user_id = f.user_id AND r.source_id = f.source_id AND upper(r.ids) <= f.read_up_to + 1 AND ${which}`);
      return rowCount ?? 0;
    });
  }
}
