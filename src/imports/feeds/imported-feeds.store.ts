import { Injectable } from '@nestjs/common';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { Database, type Db } from '../../platform/database/database.js';
import { isExactly } from '../../platform/database/planner.js';
import { Events } from '../../platform/events/events.js';
import { jobIs, jobIsNot } from '../../platform/jobs/job-columns.js';
import { OUR_MISTAKE } from '../../platform/jobs/job-handler.js';
import { storableText } from '../../platform/jobs/storable.js';
import { Clock } from '../../platform/time/clock.js';
import { importChanged } from '../import-status.js';
import { type ImportRow, imports } from '../imports.table.js';
import { importBatches } from '../items/import-batches.table.js';
import { type ImportFeed, importFeeds } from './import-feeds.table.js';

export type ImportedFeed = Pick<
  ImportFeed,
  'id' | 'importId' | 'url' | 'sourceId' | 'title' | 'folder' | 'cursor' | 'pages' | 'startedAt'
> &
  Pick<ImportRow, 'userId' | 'follow' | 'full' | 'fields'> & { type: string; externalId: string };

export interface FeedProgress {
  externalId: string;
  sourceId: string | null;
  /** Position in the archive; null if everything was fetched. */
  cursor: string | null;
  pages: string[];
  error: string | null;
}

export const OPEN_FEED = ['queued', 'fetching', 'storing'] as const;

export class ImportCancelled extends Error {}

/** Every transaction locks the feed's row first, then the import's. */
@Injectable()
export class ImportedFeedsStore {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  /** Returns undefined if the feed must not be fetched (any more). */
  async begin(feedId: string): Promise<ImportedFeed | undefined> {
    const [begun] = await this.database.db
      .update(importFeeds)
      .set({ status: 'fetching', startedAt: sql`coalesce(${importFeeds.startedAt}, ${this.clock.now()})`, error: null })
      .from(imports)
      .where(
        and(
          eq(importFeeds.id, feedId),
          inArray(importFeeds.status, ['queued', 'fetching']),
          eq(imports.id, importFeeds.importId),
          eq(imports.status, 'running'),
        ),
      )
      .returning();
    if (!begun) return undefined;
    const { imports: wanted, ...feed } = begun;
    return { ...wanted, ...feed } as ImportedFeed;
  }

  async recordError(feedId: string, reason: string): Promise<void> {
    await this.database.db
      .update(importFeeds)
      .set({ error: storableText(reason) })
      .where(eq(importFeeds.id, feedId));
  }

  /** Call in the transaction that stages or writes the items, and settle the feed there. */
  async fetched(db: Db, feedId: string, progress: FeedProgress): Promise<void> {
    const status = progress.cursor === null ? 'storing' : 'fetching';
    await db
      .update(importFeeds)
      .set({ ...progress, status })
      .where(eq(importFeeds.id, feedId));
  }

  /** Items staged before are still written, and the feed ends with them. */
  async failed(db: Db, feedId: string): Promise<void> {
    const { id, importId, status, error } = importFeeds;
    const [feed] = await db
      .update(importFeeds)
      .set({ status: 'storing', error: sql`coalesce(${error}, ${OUR_MISTAKE})` })
      .where(and(eq(id, feedId), inArray(status, OPEN_FEED)))
      .returning({ id, importId });
    if (feed) await this.settle(db, feed);
  }

  /** Feeds of a cancelled import stay closed. */
  async reopen(db: Db, feedId: string, status: 'queued' | 'storing'): Promise<void> {
    const feed = await this.hold(db, feedId);
    if (!feed || (await this.holdImport(db, feed.importId)) === 'cancelled') return;
    // While the feed is queued or being fetched, its batch waits like the others.
    if (status === 'storing' && (feed.status === 'queued' || feed.status === 'fetching')) return;
    const error = feed.hasFailed ? feed.error : null;
    const startedAt = status === 'queued' ? null : feed.startedAt;
    await db.update(importFeeds).set({ status, error, startedAt, completedAt: null }).where(eq(importFeeds.id, feedId));
    await db.update(imports).set({ status: 'running', completedAt: null }).where(eq(imports.id, feed.importId));
    await this.publishChange(db, feed.importId);
  }

  /** Returns false if the import was cancelled: nothing was changed, and the caller must roll back. */
  async settle(db: Db, { id, importId }: FeedOfImport): Promise<boolean> {
    // All writers for an import hold a share lock on its row: a cancellation waits for them, and later writers see it.
    const { rows } = await db.execute<{ isOver: boolean; isWanted: boolean }>(sql`
      SELECT feed.status = 'storing' AS "isOver", owner.status = 'running' AS "isWanted"
      FROM ${importFeeds} AS feed JOIN ${imports} AS owner ON owner.id = feed.import_id
      WHERE feed.id = ${id} FOR NO KEY UPDATE OF feed FOR SHARE OF owner`);
    const { isOver = false, isWanted = false } = rows[0] ?? {};
    if (!isWanted) return false;
    if (isOver) await this.endIfWritten(db, id, this.clock.now());
    await this.publishChange(db, importId);
    return true;
  }

  async publishChange(db: Db, importId: string): Promise<void> {
    await this.events.publish(db, importChanged, { importId });
  }

  /** The feed is locked, so that of two writers of its last batches the second sees what the first has written. */
  private async endIfWritten(db: Db, id: string, now: Date): Promise<void> {
    const has = (state: 'waiting' | 'failed') =>
      sql`EXISTS (SELECT FROM ${importBatches} WHERE feed_id = ${id} AND ${jobIs(state)})`;
    await db.execute(sql`
      UPDATE ${importFeeds} SET completed_at = ${now.toISOString()}::timestamptz,
        status = CASE WHEN ${jobIs('failed')} OR ${has('failed')} THEN 'failed' ELSE 'done' END,
        error = CASE WHEN ${jobIsNot('failed')} AND ${has('failed')} THEN ${OUR_MISTAKE} ELSE error END
      WHERE id = ${id} AND NOT ${has('waiting')}`);
  }

  async hold(db: Db, feedId: string): Promise<HeldFeed | undefined> {
    const { id, importId, status, error, startedAt } = importFeeds;
    const [feed] = await db
      .select({ id, importId, status, error, startedAt, hasFailed: jobIs('failed') })
      .from(importFeeds)
      .where(eq(id, feedId))
      .for('no key update');
    return feed;
  }

  private async holdImport(db: Db, importId: string): Promise<ImportRow['status'] | undefined> {
    const { id, status } = imports;
    const [row] = await db.select({ status }).from(imports).where(eq(id, importId)).for('no key update');
    return row?.status;
  }
}

/** Use it together with an order by `import_id, id`. */
export const ofImport = (importId: string) => isExactly(importFeeds.importId, importId);

type HeldFeed = Pick<ImportFeed, 'id' | 'importId' | 'status' | 'error' | 'startedAt'> & { hasFailed: boolean };

export type FeedOfImport = Pick<ImportFeed, 'id' | 'importId'>;
