import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { Database } from '../platform/database/database.js';
import { countDueRows, DueRowCounts } from '../platform/queue/due-rows.js';
import { importFeeds } from './feeds/import-feeds.table.js';
import { importFeedJob } from './import-jobs.js';
import { imports } from './imports.table.js';

/** Counts the feeds of running imports that the scheduler has not handed to the queue yet. Batches go there at once. */
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
          WHERE import.status = 'running' AND feed.status = 'queued' AND feed.job_state = 'idle'`,
      );
      return new Map([[importFeedJob.name, feeds]]);
    });
  }
}
