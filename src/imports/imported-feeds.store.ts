import { Injectable } from '@nestjs/common';
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { Database, type Db } from '../platform/database/database.js';
import { Events } from '../platform/events/events.js';
import { OUR_MISTAKE } from '../platform/queue/job-handler.js';
import { storableText } from '../platform/queue/storable.js';
import { importBatches } from './import-batches.table.js';
import { importChanged } from './import-changed.event.js';
import { type ImportFeed, importFeeds } from './import-feeds.table.js';
import { type ImportRow, imports } from './imports.table.js';

/** A feed together with what its import wants of it. */
export type ImportedFeed = Pick<
  ImportFeed,
  'id' | 'importId' | 'url' | 'sourceId' | 'title' | 'folder' | 'cursor' | 'pages' | 'slotAt' | 'startedAt'
> &
  Pick<ImportRow, 'userId' | 'follow' | 'full' | 'fields'> & { type: string; externalId: string };

/** What a run of a feed's job leaves behind. */
export interface FeedProgress {
  externalId: string;
  sourceId: string | null;
  /** Where its archive goes on; null if all was fetched. */
  cursor: string | null;
  pages: string[];
  /** Why not all of it is read. */
  error: string | null;
}

const OPEN = ['queued', 'fetching', 'storing'] as const;

/** Ends work for an import that was cancelled: nothing more is stored for it. */
export class NoLongerWanted extends Error {}

/** Moves the feeds of imports on, and their imports with them. Holds the feed's row first, then the import's. */
@Injectable()
export class ImportedFeedsStore {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
  ) {}

  /** Undefined if it is not to be fetched (any more). */
  async begin(feedId: string, now: Date): Promise<ImportedFeed | undefined> {
    const [begun] = await this.database.db
      .update(importFeeds)
      .set({ status: 'fetching', startedAt: sql`coalesce(${importFeeds.startedAt}, ${now})`, error: null })
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

  async keepTurn(feedId: string, slotAt: Date | null): Promise<void> {
    await this.database.db.update(importFeeds).set({ slotAt }).where(eq(importFeeds.id, feedId));
  }

  /** Why a try failed. If it was the last, this is why the feed did. */
  async noteTrouble(feedId: string, reason: string): Promise<void> {
    await this.database.db
      .update(importFeeds)
      .set({ error: storableText(reason) })
      .where(eq(importFeeds.id, feedId));
  }

  /** Call in the transaction that stages what was fetched. False if the import was cancelled: roll back. */
  async fetched(db: Db, { id, importId }: FeedOfImport, progress: FeedProgress, now: Date): Promise<boolean> {
    const status = progress.cursor === null ? 'storing' : 'fetching';
    await db
      .update(importFeeds)
      .set({ ...progress, status, slotAt: null })
      .where(eq(importFeeds.id, id));
    return this.settle(db, { id, importId }, now);
  }

  /** Call in the transaction that ends the feed's work. */
  async failed(db: Db, feedId: string, now: Date): Promise<void> {
    const [feed] = await db
      .update(importFeeds)
      .set({ status: 'failed', error: sql`coalesce(${importFeeds.error}, ${OUR_MISTAKE})`, completedAt: now })
      .where(and(eq(importFeeds.id, feedId), inArray(importFeeds.status, OPEN)))
      .returning({ importId: importFeeds.importId });
    if (feed) await this.follow(db, feed.importId, now);
  }

  /** Takes back that a feed has failed or is done, for another try of it or of one of its batches. */
  async reopen(db: Db, feedId: string, status: 'queued' | 'storing'): Promise<void> {
    const [feed] = await db
      .update(importFeeds)
      .set({ status, error: null, completedAt: null })
      .where(and(eq(importFeeds.id, feedId), inArray(importFeeds.status, ['failed', 'done']), notCancelled))
      .returning({ importId: importFeeds.importId });
    if (!feed) return;
    await db
      .update(imports)
      .set({ status: 'running', completedAt: null })
      .where(and(eq(imports.id, feed.importId), inArray(imports.status, ['completed', 'failed'])));
    await this.events.publish(db, importChanged, { importId: feed.importId });
  }

  /** Ends the feed if all of it was fetched and written, and the import if that was its last. False if the import was cancelled: roll back. */
  async settle(db: Db, { id, importId }: FeedOfImport, now: Date): Promise<boolean> {
    const [feed] = await db
      .select({ status: importFeeds.status })
      .from(importFeeds)
      .where(eq(importFeeds.id, id))
      .for('no key update');
    const ended = feed?.status === 'storing' && !(await this.hasBatches(db, id, 'waiting'));
    if (ended) {
      const end = (await this.hasBatches(db, id, 'failed'))
        ? ({ status: 'failed', error: OUR_MISTAKE } as const)
        : ({ status: 'done' } as const);
      await db
        .update(importFeeds)
        .set({ ...end, completedAt: now })
        .where(eq(importFeeds.id, id));
    }
    return this.follow(db, importId, now);
  }

  private async hasBatches(db: Db, feedId: string, jobState: 'waiting' | 'failed'): Promise<boolean> {
    const found = await db
      .select({ id: importBatches.id })
      .from(importBatches)
      .where(and(eq(importBatches.feedId, feedId), eq(importBatches.jobState, jobState)))
      .limit(1);
    return found.length > 0;
  }

  /** The import ends with its last feed. All who write for it hold its row, so that the last of them sees that. False if it was cancelled. */
  private async follow(db: Db, importId: string, now: Date): Promise<boolean> {
    const held = db.select().from(imports).where(eq(imports.id, importId)).for('no key update');
    const [row] = await held;
    if (row?.status !== 'running') return false;
    const feeds = (statuses: readonly ImportFeed['status'][]) =>
      db
        .select({ id: importFeeds.id })
        .from(importFeeds)
        .where(and(eq(importFeeds.importId, importId), inArray(importFeeds.status, [...statuses])))
        .orderBy(desc(importFeeds.id))
        .limit(1);
    const isOpen = (await feeds(OPEN)).length > 0;
    if (!isOpen) {
      const status = (await feeds(['done'])).length > 0 ? 'completed' : 'failed';
      await db.update(imports).set({ status, completedAt: now }).where(eq(imports.id, importId));
    }
    await this.events.publish(db, importChanged, { importId });
    return true;
  }
}

/** What a cancelled import has not brought stays so. */
const notCancelled = sql`NOT EXISTS (
  SELECT FROM ${imports} WHERE ${imports.id} = ${importFeeds.importId} AND ${imports.status} = 'cancelled')`;

export type FeedOfImport = Pick<ImportFeed, 'id' | 'importId'>;
