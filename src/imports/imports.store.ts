import { Injectable } from '@nestjs/common';
import { and, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { Database, type Db } from '../platform/database/database.js';
import { Events } from '../platform/events/events.js';
import { IDLE_JOB, jobIs } from '../platform/jobs/job-columns.js';
import type { JobRows } from '../platform/jobs/job-rows.js';
import { Clock } from '../platform/time/clock.js';
import { type ImportFeed, importFeeds } from './feeds/import-feeds.table.js';
import { OPEN_FEED, ofImport } from './feeds/imported-feeds.store.js';
import { importFeedJob, importItemsJob } from './import-jobs.js';
import type { ImportStatus } from './import-status.js';
import { importChanged } from './import-status.js';
import { type FeedTotals, feedTotals, type ItemTotals, itemTotals, NO_FEEDS, NO_ITEMS } from './import-totals.js';
import { type ImportRow, imports } from './imports.table.js';

const BATCH_SIZE = 1_000;

export type Import = ImportRow & { feeds: FeedTotals; items: ItemTotals };

export type NewImport = Pick<ImportRow, 'userId' | 'follow' | 'full' | 'fields'> & { rerunOf?: string };

/** `error` is the reason why a feed cannot be imported. */
export interface NewFeed {
  url: string;
  type: string | null;
  externalId: string | null;
  title: string | null;
  folder: string | null;
  error: string | null;
}

interface ImportFilter {
  status?: ImportStatus | undefined;
  before?: string | undefined;
  limit: number;
}

@Injectable()
export class ImportsStore {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  async insert(db: Db, wanted: NewImport): Promise<string> {
    const [stored] = await db
      .insert(imports)
      .values({ ...wanted, startedAt: this.clock.now() })
      .returning({ id: imports.id });
    if (!stored) throw new Error('an import was not stored');
    return stored.id;
  }

  async insertFeeds(db: Db, importId: string, feeds: NewFeed[]): Promise<void> {
    if (!feeds.length) return;
    const now = this.clock.now();
    const column = (name: keyof NewFeed) => sql.param(feeds.map((feed) => feed[name]));
    await db.execute(sql`
      INSERT INTO ${importFeeds} (import_id, url, type, external_id, title, folder, error, status, completed_at, ${IDLE_JOB.column})
      SELECT ${importId}::bigint, url, type, external_id, title, folder, error,
        CASE WHEN error IS NULL THEN 'queued' ELSE 'failed' END,
        CASE WHEN error IS NULL THEN NULL ELSE ${now}::timestamptz END, ${IDLE_JOB.value}
      FROM unnest(${column('url')}::text[], ${column('type')}::text[], ${column('externalId')}::text[],
        ${column('title')}::text[], ${column('folder')}::text[], ${column('error')}::text[])
        AS given (url, type, external_id, title, folder, error)`);
  }

  async noteDuplicates(db: Db, importId: string, duplicateFeeds: number): Promise<void> {
    await db.update(imports).set({ duplicateFeeds }).where(eq(imports.id, importId));
  }

  async find(userId: string, id: string): Promise<Import | undefined> {
    return this.one(ownedBy(userId, id));
  }

  /** Returns the row without totals, which would have to be counted. */
  async findRow(userId: string, id: string): Promise<ImportRow | undefined> {
    const [row] = await this.database.db.select().from(imports).where(ownedBy(userId, id));
    return row;
  }

  async load(id: string): Promise<Import | undefined> {
    return this.one(eq(imports.id, id));
  }

  async list(userId: string, { status, before, limit }: ImportFilter): Promise<Import[]> {
    const rows = await this.database.db
      .select()
      .from(imports)
      .where(
        and(
          eq(imports.userId, userId),
          status && eq(imports.status, status),
          before === undefined ? undefined : lt(imports.id, before),
        ),
      )
      .orderBy(desc(imports.id))
      .limit(limit);
    return this.withTotals(rows);
  }

  /** Returns false if the import had ended otherwise. Writers lock the row, so nothing is stored after the commit. */
  async cancel(id: string): Promise<boolean> {
    const now = this.clock.now();
    const isCancelled = await this.database.transaction(async (db) => {
      const [row] = await db.select().from(imports).where(eq(imports.id, id)).for('no key update');
      if (row?.status !== 'running') return row?.status === 'cancelled';
      await db.update(imports).set({ status: 'cancelled', completedAt: now }).where(eq(imports.id, id));
      await this.events.publish(db, importChanged, { importId: id });
      return true;
    });
    if (isCancelled) await closeImport(this.database.db, id, now);
    return isCancelled;
  }

  /** Completes cancellations that a crash has interrupted. */
  async closeCancelled(): Promise<void> {
    const { rows } = await this.database.db.execute<{ id: string }>(sql`
      SELECT id FROM ${imports} WHERE status = 'cancelled' AND EXISTS (
        SELECT FROM ${importFeeds}
        WHERE import_id = ${imports.id} AND ${importFeeds.status} IN ('queued', 'fetching', 'storing'))`);
    for (const { id } of rows) await closeImport(this.database.db, id, this.clock.now());
  }

  /** Feeds do not end their import, because each of the last two could see the other as still open. */
  async endFinished(): Promise<void> {
    const { rows } = await this.database.db.execute<{ id: string }>(sql`
      SELECT id FROM ${imports} WHERE status = 'running' AND NOT EXISTS (
        SELECT FROM ${importFeeds} WHERE import_id = ${imports.id} AND ${importFeeds.status} IN ('queued', 'fetching', 'storing')
      )`);
    for (const { id } of rows) await this.database.transaction((db) => this.endOne(db, id));
  }

  /** A feed may have been reopened before the import was locked. */
  private async endOne(db: Db, id: string): Promise<void> {
    const [row] = await db
      .select({ status: imports.status })
      .from(imports)
      .where(eq(imports.id, id))
      .for('no key update');
    if (row?.status !== 'running' || (await hasFeeds(db, id, OPEN_FEED))) return;
    const status = (await hasFeeds(db, id, ['done'])) ? 'completed' : 'failed';
    await db.update(imports).set({ status, completedAt: this.clock.now() }).where(eq(imports.id, id));
    await this.events.publish(db, importChanged, { importId: id });
  }

  private async one(which: SQL | undefined): Promise<Import | undefined> {
    const [found] = await this.withTotals(await this.database.db.select().from(imports).where(which));
    return found;
  }

  private async withTotals(rows: ImportRow[]): Promise<Import[]> {
    if (!rows.length) return [];
    const ids = rows.map(({ id }) => id);
    const feeds = await feedTotals(this.database.db, ids);
    const items = await itemTotals(this.database.db, 'import_id', ids);
    return rows.map((row) => ({ ...row, feeds: feeds.get(row.id) ?? NO_FEEDS, items: items.get(row.id) ?? NO_ITEMS }));
  }
}

const ownedBy = (userId: string, id: string) => and(eq(imports.id, id), eq(imports.userId, userId));

async function hasFeeds(db: Db, importId: string, statuses: readonly ImportFeed['status'][]): Promise<boolean> {
  const found = await db
    .select({ id: importFeeds.id })
    .from(importFeeds)
    .where(and(ofImport(importId), inArray(importFeeds.status, [...statuses])))
    .orderBy(desc(importFeeds.importId), desc(importFeeds.id))
    .limit(1);
  return found.length > 0;
}

/** Closes the open feeds and waiting batches of a cancelled import. It may be repeated. */
async function closeImport(db: Db, importId: string, now: Date): Promise<void> {
  const isOfImport = sql`import_id = ${importId}`;
  await withdrawAll(db, importFeedJob.rows, {
    which: sql`${isOfImport} AND status IN ('queued', 'fetching', 'storing')`,
    set: sql`status = 'cancelled', completed_at = ${now}::timestamptz`,
  });
  await withdrawAll(db, importItemsJob.rows, {
    which: sql`${isOfImport} AND ${jobIs('waiting')}`,
    set: sql`items = NULL, found = 0`,
  });
}

/** Each slice is a separate statement in the order of ids, so that no one waits long for a row. */
async function withdrawAll(db: Db, rows: JobRows, { which, set }: { which: SQL; set: SQL }): Promise<void> {
  for (let after: string | undefined = '0'; after !== undefined; ) {
    const withdrawn = await rows.withdraw(db, sql`${which} AND id > ${after}`, { set, limit: BATCH_SIZE });
    after = withdrawn.at(-1);
  }
}
