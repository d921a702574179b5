import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { and, eq, sql } from 'drizzle-orm';
import { Database } from '../platform/database/database.js';
import { countDueRows, DueRowCounts } from '../platform/jobs/due-rows.js';
import { jobIs, jobIsDueIn } from '../platform/jobs/job-columns.js';
import type { WaitingRow } from '../platform/jobs/job-rows.js';
import { Jobs } from '../platform/jobs/jobs.js';
import { LOG, type Log } from '../platform/log/log.js';
import { Periodic } from '../platform/time/periodic.js';
import { importFeeds } from './feeds/import-feeds.table.js';
import { ofImport } from './feeds/imported-feeds.store.js';
import { importFeedJob } from './import-jobs.js';
import { ImportsStore } from './imports.store.js';
import { imports } from './imports.table.js';
import { importBatches } from './items/import-batches.table.js';

const INTERVAL_MS = 250;
const CLOSE_INTERVAL_MS = 60_000;
const MAX_WAITING = 200;
/** Includes feeds whose host refuses requests, perhaps for an hour, while other feeds continue. */
const MAX_DELAYED = 10 * MAX_WAITING;
const SOON_SECONDS = 5;

interface OpenImport extends Record<string, unknown> {
  id: string;
  userId: string;
  waiting: number;
  delayed: number;
}

/** A short list does not wait for a long one, nor a user for the imports of another. */
@Injectable()
export class ImportScheduler implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly store: ImportsStore,
    private readonly jobs: Jobs,
    private readonly periodic: Periodic,
    @Inject(LOG) private readonly log: Log,
  ) {}

  onApplicationBootstrap() {
    this.periodic.every(INTERVAL_MS, 'import scheduler', async () => {
      await this.store.endFinished();
      await this.enqueueFeeds();
    });
    this.periodic.every(CLOSE_INTERVAL_MS, 'closing of cancelled imports', () => this.store.closeCancelled());
  }

  /** If this fails, the next round enqueues the feeds. */
  async enqueueNew(importId: string): Promise<void> {
    try {
      await this.enqueueFeeds();
    } catch (err) {
      this.log.warn(
        { event: 'import_enqueue_failed', err, importId },
        'Could not enqueue an import, retrying in the next round',
      );
    }
  }

  private async enqueueFeeds(): Promise<void> {
    const open = await this.withQueuedFeeds();
    const importsOf = new Map<string, number>();
    for (const { userId } of open) importsOf.set(userId, (importsOf.get(userId) ?? 0) + 1);
    for (const { id, userId, waiting, delayed } of open) {
      const shares = importsOf.size * (importsOf.get(userId) ?? 1);
      const share = (most: number) => Math.max(1, Math.floor(most / shares));
      const limit = Math.min(share(MAX_WAITING) - waiting, share(MAX_DELAYED) - waiting - delayed);
      if (limit > 0) await this.jobs.enqueueRows(importFeedJob, await this.take({ id, userId }, limit));
    }
  }

  private async withQueuedFeeds(): Promise<OpenImport[]> {
    const { rows } = await this.database.db.execute<OpenImport>(sql`
      SELECT running.id, running.user_id AS "userId", coalesce(waiting, 0)::int AS waiting, coalesce(delayed, 0)::int AS delayed
      FROM (
        SELECT id, user_id, row_number() OVER (PARTITION BY user_id ORDER BY id) AS turn
        FROM ${imports} WHERE status = 'running' AND EXISTS (
          SELECT FROM ${importFeeds} WHERE import_id = ${imports.id} AND ${importFeeds.status} = 'queued' AND ${jobIs('idle')}
        ) ORDER BY turn, id LIMIT ${MAX_WAITING}
      ) AS running
      LEFT JOIN (
        SELECT import_id, count(*) FILTER (WHERE is_soon) AS waiting, count(*) FILTER (WHERE NOT is_soon) AS delayed FROM (
          SELECT import_id, ${jobIsDueIn(SOON_SECONDS)} AS is_soon
          FROM ${importFeeds} WHERE ${jobIs('waiting')}
          UNION ALL SELECT import_id, true FROM ${importBatches} WHERE ${jobIs('waiting')}
        ) AS jobs GROUP BY import_id
      ) AS busy ON busy.import_id = running.id
      ORDER BY turn, running.id`);
    return rows;
  }

  private take({ id: importId, userId }: Pick<OpenImport, 'id' | 'userId'>, limit: number): Promise<WaitingRow[]> {
    return this.database.transaction(async (db) => {
      const next = await db
        .select({ id: importFeeds.id })
        .from(importFeeds)
        .where(and(ofImport(importId), eq(importFeeds.status, 'queued'), jobIs('idle')))
        .orderBy(importFeeds.importId, importFeeds.id)
        .limit(limit)
        .for('update', { skipLocked: true });
      const ids = next.map(({ id }) => id);
      return ids.length ? importFeedJob.rows.putToWorkInTurn(db, ids, userId) : [];
    });
  }
}

/** Batches are not counted, because they are enqueued at once. */
@Injectable()
export class ImportBacklog implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly dueRows: DueRowCounts,
  ) {}

  onModuleInit() {
    this.dueRows.register(async () => {
      const feeds = await countDueRows(
        this.database.db,
        sql`SELECT import.started_at AS since FROM ${imports} AS import JOIN ${importFeeds} AS feed ON feed.import_id = import.id
          WHERE import.status = 'running' AND feed.status = 'queued' AND ${jobIs('idle', 'feed')}`,
      );
      return new Map([[importFeedJob.name, feeds]]);
    });
  }
}
