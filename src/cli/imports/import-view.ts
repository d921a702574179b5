import { z } from 'zod';
import { facts } from '../show/table.js';
import { howLong, localTime } from '../show/times.js';

/** An import, as far as it is shown. */
export const ImportView = z.object({
  id: z.string(),
  status: z.enum(['running', 'completed', 'failed', 'cancelled']),
  feeds: z.object({ total: z.number(), done: z.number(), failed: z.number() }),
  items: z.object({
    found: z.number(),
    new: z.number(),
    updated: z.number(),
    unchanged: z.number(),
    failed: z.number(),
  }),
  startedAt: z.string(),
  completedAt: z.string().nullable(),
  duplicateFeeds: z.number(),
});
export type ImportView = z.infer<typeof ImportView>;

export const feedsOf = ({ feeds: { total, done, failed } }: ImportView) =>
  `${done} of ${total} done${failed ? `, ${failed} failed` : ''}`;

export const itemsOf = ({ items }: ImportView) =>
  [
    `${items.found} found: ${items.new} new, ${items.updated} updated, ${items.unchanged} unchanged`,
    items.failed && `${items.failed} failed`,
  ]
    .filter(Boolean)
    .join(', ');

export function summaryOf(view: ImportView): string {
  const { id, status, startedAt, completedAt, duplicateFeeds } = view;
  return facts([
    ['import', id],
    ['status', status],
    ['feeds', feedsOf(view)],
    ['named twice', duplicateFeeds || undefined],
    ['items', itemsOf(view)],
    ['started', localTime(startedAt)],
    ['took', completedAt && howLong((Date.parse(completedAt) - Date.parse(startedAt)) / 1_000)],
  ]);
}
