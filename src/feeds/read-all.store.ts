import { Injectable } from '@nestjs/common';
import { and, type SQL, sql } from 'drizzle-orm';
import { Database, type Db } from '../platform/database/database.js';
import { Events } from '../platform/events/events.js';
import { marks } from '../posts/marks.table.js';
import { posts } from '../posts/posts.table.js';
import { readRanges } from '../posts/read-ranges.table.js';
import { readingChanged } from '../posts/reading/reading-changed.event.js';
import { ReadingChanges } from '../posts/reading/reading-changes.js';
import { inFolder } from '../posts/timeline-queries.js';
import { fetchStates } from '../sources/fetch-states.table.js';
import { follows } from '../sources/follows.table.js';
import { sources } from '../sources/sources.table.js';

interface Which {
  /** Includes sources that have moved there. */
  source?: string | undefined;
  /** Includes the folders below it. */
  folder?: string | undefined;
  /** Without the folders below it. Null: sources without a folder. */
  onlyFolder?: string | null | undefined;
  /** Posts that were found later stay as they are, and sources that the user followed later, too. */
  foundUpTo?: Date | undefined;
}

@Injectable()
export class ReadAllStore {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly changes: ReadingChanges,
  ) {}

  /** Posts marked as unread are included. Returns the number of sources. */
  async readAll(userId: string, which: Which): Promise<number> {
    const condition = and(sql`f.user_id = ${userId}`, ...conditionsOf(which));
    const count = await this.database.transaction(async (db) => {
      // Rows are locked in one order, so that concurrent calls wait for each other instead of deadlocking.
      await db.execute(sql`SELECT FROM ${follows} f WHERE ${condition} ORDER BY f.source_id FOR NO KEY UPDATE`);
      const { rowCount } = await db.execute(sql`
        UPDATE ${follows} f SET read_up_to = greatest(${endOf(which)}, f.read_up_to)
        FROM ${sources} s WHERE s.id = f.source_id AND ${condition}`);
      if (which.foundUpTo) await readBeyond(db, condition, which.foundUpTo);
      await db.execute(sql`
        UPDATE ${marks} m SET read = NULL FROM ${posts} p, ${follows} f
        WHERE m.user_id = ${userId} AND m.read = false AND p.id = m.post_id
          AND f.source_id = p.source_id AND p.id <= f.read_up_to AND ${condition}`);
      await db.execute(sql`
        DELETE FROM ${readRanges} r USING ${follows} f
        WHERE r.user_id = f.user_id AND r.source_id = f.source_id AND upper(r.ids) <= f.read_up_to + 1 AND ${condition}`);
      await this.events.publish(db, readingChanged, { userId });
      return rowCount ?? 0;
    });
    this.changes.changed(userId);
    return count;
  }
}

function conditionsOf({ source, folder, onlyFolder, foundUpTo }: Which): (SQL | undefined)[] {
  return [
    source === undefined
      ? undefined
      : sql`f.source_id IN (SELECT ${source}::bigint UNION ALL SELECT id FROM ${fetchStates} WHERE moved_to = ${source})`,
    folder === undefined ? undefined : inFolder(sql`${folder}::text`),
    onlyFolder === undefined ? undefined : sql`f.folder IS NOT DISTINCT FROM ${onlyFolder}`,
    foundUpTo && sql`f.created_at <= ${foundUpTo.toISOString()}::timestamptz`,
  ];
}

/** Posts are found almost in the order of their ids, so all before the first one that was found too late are read. */
function endOf({ foundUpTo }: Which): SQL {
  if (!foundUpTo) return sql`s.last_post_id`;
  return sql`coalesce((
    SELECT min(p.id) - 1 FROM ${posts} p
    WHERE p.source_id = f.source_id AND p.removed_at IS NULL AND p.id > f.read_up_to
      AND p.found_at > ${foundUpTo.toISOString()}::timestamptz), s.last_post_id)`;
}

/** Marks posts that were found in time although their ids are greater than that of one that was not. */
async function readBeyond(db: Db, condition: SQL | undefined, foundUpTo: Date): Promise<void> {
  await db.execute(sql`
    INSERT INTO ${marks} AS mark (user_id, post_id, read)
    SELECT f.user_id, p.id, true FROM ${follows} f JOIN ${sources} s ON s.id = f.source_id AND s.last_post_id > f.read_up_to
    JOIN ${posts} p ON p.source_id = f.source_id AND p.removed_at IS NULL AND p.id > f.read_up_to
      AND p.found_at <= ${foundUpTo.toISOString()}::timestamptz
    WHERE ${condition} ORDER BY p.id
    ON CONFLICT (user_id, post_id) DO UPDATE SET read = true`);
}
