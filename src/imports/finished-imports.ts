import { Injectable } from '@nestjs/common';
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { Database, type Db } from '../platform/database/database.js';
import { Events } from '../platform/events/events.js';
import { type ImportFeed, importFeeds } from './feeds/import-feeds.table.js';
import { OPEN_FEED, ofImport } from './feeds/imported-feeds.store.js';
import { importChanged } from './import-changed.event.js';
import { imports } from './imports.table.js';

/**
 * Ends imports whose last feed has ended. This is separate from ending feeds: of the last two feeds, each could see
 * the other as still open, unless all of them locked the import's row.
 */
@Injectable()
export class FinishedImports {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
  ) {}

  async end(now: Date): Promise<void> {
    const { rows } = await this.database.db.execute<{ id: string }>(sql`
      SELECT id FROM ${imports} WHERE status = 'running' AND NOT EXISTS (
        SELECT FROM ${importFeeds} WHERE import_id = ${imports.id} AND ${importFeeds.status} IN ('queued', 'fetching', 'storing')
      )`);
    for (const { id } of rows) await this.database.transaction((db) => this.endOne(db, id, now));
  }

  /** A feed may have been reopened before the import was locked. */
  private async endOne(db: Db, id: string, now: Date): Promise<void> {
    const [row] = await db
      .select({ status: imports.status })
      .from(imports)
      .where(eq(imports.id, id))
      .for('no key update');
    if (row?.status !== 'running' || (await hasFeeds(db, id, OPEN_FEED))) return;
    const status = (await hasFeeds(db, id, ['done'])) ? 'completed' : 'failed';
    await db.update(imports).set({ status, completedAt: now }).where(eq(imports.id, id));
    await this.events.publish(db, importChanged, { importId: id });
  }
}

async function hasFeeds(db: Db, importId: string, statuses: readonly ImportFeed['status'][]): Promise<boolean> {
  const found = await db
    .select({ id: importFeeds.id })
    .from(importFeeds)
    .where(and(ofImport(importId), inArray(importFeeds.status, [...statuses])))
    .orderBy(desc(importFeeds.importId), desc(importFeeds.id))
    .limit(1);
  return found.length > 0;
}
