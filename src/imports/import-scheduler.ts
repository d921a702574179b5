import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { and, eq, sql } from 'drizzle-orm';
import { Clock } from '../platform/clock.js';
import { Database } from '../platform/database/database.js';
import { Periodic } from '../platform/periodic.js';
import type { WaitingRow } from '../platform/queue/job-rows.js';
import { Jobs } from '../platform/queue/jobs.js';
import { FinishedImports } from './finished-imports.js';
import { importBatches } from './import-batches.table.js';
import { importFeeds } from './import-feeds.table.js';
import { importFeedJob } from './import-jobs.js';
import { ofImport } from './imported-feeds.store.js';
import { ImportsStore } from './imports.store.js';
import { imports } from './imports.table.js';

const EVERY_MS = 250;
const CLOSE_EVERY_MS = 60_000;
/** Feeds and batches of all imports that wait in the queues at once. A long list is put to work bit by bit. */
const MOST_WAITING = 200;
/** The same with those that wait for their host: it may want to be left alone for an hour, and the other feeds go on. */
const MOST_DELAYED = 10 * MOST_WAITING;
const SOON_SECONDS = 5;

interface OpenImport extends Record<string, unknown> {
  id: string;
  /** Its jobs whose time has come or comes soon. */
  waiting: number;
  delayed: number;
}

/** Puts feeds to work, as many of each running import, so that a short list is not held up by a long one. Any number of processes may do it. */
@Injectable()
export class ImportScheduler implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly store: ImportsStore,
    private readonly finished: FinishedImports,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
    private readonly periodic: Periodic,
  ) {}

  onApplicationBootstrap() {
    this.periodic.every(EVERY_MS, 'import scheduler', () => this.putToWork());
    this.periodic.every(CLOSE_EVERY_MS, 'closing of cancelled imports', () =>
      this.store.closeCancelled(this.clock.now()),
    );
  }

  async putToWork(): Promise<void> {
    await this.finished.end(this.clock.now());
    const open = await this.withQueuedFeeds();
    const share = (most: number) => Math.max(1, Math.floor(most / open.length));
    for (const { id, waiting, delayed } of open) {
      const room = Math.min(share(MOST_WAITING) - waiting, share(MOST_DELAYED) - waiting - delayed);
      if (room > 0) await this.jobs.enqueueRows(importFeedJob, await this.take(id, room));
    }
  }

  private async withQueuedFeeds(): Promise<OpenImport[]> {
    const { rows } = await this.database.db.execute<OpenImport>(sql`
      SELECT running.id, coalesce(waiting, 0)::int AS waiting, coalesce(delayed, 0)::int AS delayed
      FROM (
        SELECT id FROM ${imports} WHERE status = 'running' AND EXISTS (
          SELECT FROM ${importFeeds} WHERE import_id = ${imports.id} AND ${importFeeds.status} = 'queued' AND job_state = 'idle'
        ) ORDER BY id LIMIT ${MOST_WAITING}
      ) AS running
      LEFT JOIN (
        SELECT import_id, count(*) FILTER (WHERE is_soon) AS waiting, count(*) FILTER (WHERE NOT is_soon) AS delayed FROM (
          SELECT import_id, job_run_at < now() + make_interval(secs => ${SOON_SECONDS}) AS is_soon
          FROM ${importFeeds} WHERE job_state = 'waiting'
          UNION ALL SELECT import_id, true FROM ${importBatches} WHERE job_state = 'waiting'
        ) AS jobs GROUP BY import_id
      ) AS busy ON busy.import_id = running.id
      ORDER BY running.id`);
    return rows;
  }

  private take(importId: string, limit: number): Promise<WaitingRow[]> {
    return this.database.transaction(async (db) => {
      const next = await db
        .select({ id: importFeeds.id })
        .from(importFeeds)
        .where(and(ofImport(importId), eq(importFeeds.status, 'queued'), eq(importFeeds.jobState, 'idle')))
        .orderBy(importFeeds.importId, importFeeds.id)
        .limit(limit)
        .for('update', { skipLocked: true });
      const ids = next.map(({ id }) => id);
      return importFeedJob.rows.putToWork(db, ids);
    });
  }
}
