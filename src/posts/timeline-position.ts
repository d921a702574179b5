import { z } from 'zod';
import { Id } from '../platform/database/columns.js';

const CENTURY_MS = 100 * 365 * 86_400_000;

/** PostgreSQL has no year 0. */
const Instant = z.iso.datetime().refine((text) => !text.startsWith('0000'), 'a time');

/** The end of a page: time and id of its last post, and the milliseconds between its first and last post. */
export const TimelinePosition = z.tuple([Instant, Id, z.int().min(0).max(CENTURY_MS)]);
export type TimelinePosition = z.infer<typeof TimelinePosition>;

interface Item {
  id: string;
  publishedAt: string;
}

export function positionAfter(items: Item[]): TimelinePosition | undefined {
  const [first, last] = [items[0], items.at(-1)];
  if (!first || !last) return undefined;
  const spanMs = Date.parse(first.publishedAt) - Date.parse(last.publishedAt);
  return [last.publishedAt, last.id, Math.min(spanMs, CENTURY_MS)];
}
