import { z } from 'zod';
import type { Config } from '../platform/config.js';
import { Id } from '../platform/database/columns.js';
import { defineJob } from '../platform/jobs/job-catalogue.js';
import { JobRows } from '../platform/jobs/job-rows.js';
import type { Feature } from '../platform/jobs/work-result.js';
import { importFeeds } from './feeds/import-feeds.table.js';
import { failedItems } from './items/failed-items.table.js';
import { importBatches } from './items/import-batches.table.js';

const itemTries = {
  attempts: ({ importItemsAttempts }: Config) => importItemsAttempts,
  backoff: { type: 'exponential', delay: ({ importItemsBackoffMs }: Config) => importItemsBackoffMs },
} as const;
const concurrency = ({ importConcurrency }: Config) => importConcurrency;

const imports = {
  name: 'imports',
  target: 'host',
  sharedCause: "Check this machine's network and DNS first: feeds of different hosts seldom fail together.",
  results: {
    /** A feed or pages of its archive were read, and the items staged. */
    read: 'success',
    imported: 'success',
    /** Some items of a batch were rejected and became dead letters; the others are stored. */
    partial: 'success',
    failed: 'failure',
    cancelled: 'neutral',
  },
} as const satisfies Feature;
export type ImportResult = keyof typeof imports.results;

export const ImportFeedJob = z.object({ feedId: Id });
export type ImportFeedJob = z.infer<typeof ImportFeedJob>;

export const importFeedJob = defineJob({
  name: 'import-feed',
  data: ImportFeedJob,
  attempts: ({ importFeedAttempts }) => importFeedAttempts,
  backoff: { type: 'exponential', delay: ({ importFeedBackoffMs }) => importFeedBackoffMs },
  concurrency,
  isFair: true,
  rows: new JobRows(importFeeds, 'feedId'),
  feature: imports,
});

export const ImportItemsJob = z.object({ batchId: Id });
export type ImportItemsJob = z.infer<typeof ImportItemsJob>;

export const importItemsJob = defineJob({
  name: 'import-items',
  queueName: ({ importQueue }) => importQueue,
  data: ImportItemsJob,
  ...itemTries,
  concurrency,
  isFair: true,
  rows: new JobRows(importBatches, 'batchId'),
  feature: imports,
});

export const ImportItemJob = z.object({ itemId: Id });
export type ImportItemJob = z.infer<typeof ImportItemJob>;

/** Stores one item that failed before. It is started by replaying its dead letter. */
export const importItemJob = defineJob({
  name: 'import-item',
  data: ImportItemJob,
  ...itemTries,
  concurrency,
  rows: new JobRows(failedItems, 'itemId'),
  feature: imports,
});
