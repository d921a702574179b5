import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Id } from '../../../platform/database/columns.js';
import { Database } from '../../../platform/database/database.js';
import { SafeHorizon } from '../../../posts/reading/safe-horizon.js';
import { type QueryShape, type StreamItem, streamQuery } from './stream-queries.js';

export type { StreamItem } from './stream-queries.js';

/** Which items of a user. Without any field: all items of the sources that the user follows. */
export interface StreamFilter {
  /** A source that the user follows, with the posts of sources that have moved there. */
  source?: string | undefined;
  /** Exactly this folder. Null: sources without a folder. */
  folder?: string | null | undefined;
  read?: boolean | undefined;
  /** Starred items include those of sources that the user no longer follows. */
  starred?: boolean | undefined;
  /** Item ids greater than this one, and smaller than this one. */
  aboveItem?: string | undefined;
  belowItem?: string | undefined;
  /** By the time at which an item became visible to the user: found, or followed if that was later. */
  foundSince?: Date | undefined;
  foundBefore?: Date | undefined;
  publishedSince?: Date | undefined;
  publishedBefore?: Date | undefined;
}

export interface StreamRequest extends StreamFilter {
  /** `item`: by item id, which is the order in which items became visible to the user. */
  order: 'item' | 'published';
  direction: 'asc' | 'desc';
  limit: number;
  offset?: number | undefined;
  /** Where the page before ended. */
  after?: StreamPosition | undefined;
}

/** The item id of the last item and, in the order of publication, its time and the id of its post. */
export const StreamPosition = z.strictObject({
  item: Id,
  published: z.tuple([z.iso.datetime(), Id]).optional(),
});
export type StreamPosition = z.infer<typeof StreamPosition>;

interface StreamPage {
  items: StreamItem[];
  /** Undefined on the last page. */
  next: StreamPosition | undefined;
  /** False if items are held back that will appear in a moment, so the page may not be kept. */
  isSettled: boolean;
}

const MAX_ID = '9223372036854775807';

@Injectable()
export class ItemStreams {
  constructor(
    private readonly database: Database,
    private readonly horizon: SafeHorizon,
  ) {}

  async page(userId: string, request: StreamRequest): Promise<StreamPage> {
    const { limit } = request;
    const horizon = await this.horizon.current();
    const values = { ...valuesOf(request, horizon.id), userId, limit: limit + 1 };
    const found = await streamQuery(shapeOf(request)).run(this.database.pool, values);
    const items = found.slice(0, limit);
    const last = found.length > limit ? items.at(-1) : undefined;
    return { items, next: last && positionOf(last), isSettled: horizon.isSettled };
  }

  /** All items of a filter at once, up to the limit. */
  async items(userId: string, filter: StreamFilter, limit: number): Promise<StreamItem[]> {
    return (await this.page(userId, { ...filter, order: 'item', direction: 'desc', limit })).items;
  }
}

function shapeOf(request: StreamRequest): QueryShape {
  const { order, direction, read, starred, source, folder } = request;
  const { foundSince, foundBefore, publishedSince, publishedBefore } = request;
  const scope = source !== undefined ? 'source' : folder !== undefined ? 'folder' : 'all';
  const isTimed = [foundSince, foundBefore, publishedSince, publishedBefore].some((limit) => limit !== undefined);
  return { order, direction, read, starred, scope, isTimed };
}

function valuesOf(request: StreamRequest, horizon: string): Record<string, unknown> {
  const { order, direction, after } = request;
  const byItem = order === 'item' ? after?.item : undefined;
  const [afterAt, afterId] = after?.published ?? (direction === 'desc' ? ['infinity', MAX_ID] : ['-infinity', '0']);
  const below = smallest([request.belowItem, direction === 'desc' ? byItem : undefined]);
  return {
    source: request.source ?? null,
    folder: request.folder ?? null,
    offset: request.offset ?? 0,
    aboveItem: greatest([request.aboveItem, direction === 'asc' ? byItem : undefined]),
    upToItem: smallest([horizon, below === undefined ? undefined : String(BigInt(below) - 1n)]),
    horizon,
    foundSince: request.foundSince?.toISOString() ?? '-infinity',
    foundBefore: request.foundBefore?.toISOString() ?? 'infinity',
    publishedSince: request.publishedSince?.toISOString() ?? '-infinity',
    publishedBefore: request.publishedBefore?.toISOString() ?? 'infinity',
    afterAt,
    afterId,
  };
}

const given = (ids: (string | undefined)[]) => ids.filter((id) => id !== undefined).map(BigInt);
const greatest = (ids: (string | undefined)[]) => String(given(ids).reduce((a, b) => (a > b ? a : b), 0n));

function smallest(ids: (string | undefined)[]): string | undefined {
  const [first, ...others] = given(ids);
  return first === undefined ? undefined : String(others.reduce((a, b) => (a < b ? a : b), first));
}

function positionOf({ itemId, postId, publishedAt }: StreamItem): StreamPosition {
  return { item: itemId, ...(publishedAt && { published: [new Date(publishedAt).toISOString(), postId] }) };
}
