import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import { ImportStatus } from './import-status.js';
import type { Import } from './imports.store.js';

export const time = z.iso.datetime().nullable();

export const ItemCounts = z.strictObject({
  found: z.int(),
  new: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  /** Items that were not stored. Each has a reason and a dead letter. */
  failed: z.int(),
});

export const ImportView = z.strictObject({
  id: Id,
  status: ImportStatus,
  feeds: z.strictObject({ total: z.int(), done: z.int(), failed: z.int() }),
  items: ItemCounts,
  startedAt: z.iso.datetime(),
  completedAt: time,
  options: z.strictObject({
    follow: z.boolean(),
    full: z.boolean(),
    fields: z.record(z.string(), z.strictObject({ from: z.array(z.string()), required: z.boolean() })).nullable(),
  }),
  duplicateFeeds: z.int(),
  rerunOf: Id.nullable(),
});
export type ImportView = z.infer<typeof ImportView>;

export function toImportView(row: Import): ImportView {
  const { id, status, feeds, items, startedAt, completedAt, follow, full, fields, duplicateFeeds, rerunOf } = row;
  return {
    id,
    status,
    feeds,
    items,
    startedAt: startedAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
    options: { follow, full, fields },
    duplicateFeeds,
    rerunOf,
  };
}
