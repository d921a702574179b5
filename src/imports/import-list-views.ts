import { z } from 'zod';
import { Id } from '../platform/database/columns.js';
import type { ListedFailure, ListedFeed, ListedItem } from './import-lists.store.js';
import { FeedStatus, Outcome } from './import-status.js';
import { ItemCounts, time } from './import-view.js';

export const ImportFeedView = z.strictObject({
  id: Id,
  /** As it was given. */
  url: z.string(),
  /** Known once it was fetched. */
  sourceId: Id.nullable(),
  status: FeedStatus,
  /** Why it failed, or why not all of it was read. */
  error: z.string().nullable(),
  items: ItemCounts,
  startedAt: time,
  completedAt: time,
});

export function toFeedView(feed: ListedFeed): z.infer<typeof ImportFeedView> {
  const { id, url, sourceId, status, error, items, startedAt, completedAt } = feed;
  return {
    ...{ id, url, sourceId, status, error, items },
    startedAt: startedAt?.toISOString() ?? null,
    completedAt: completedAt?.toISOString() ?? null,
  };
}

/** `<sourceId>#<externalId>`: the same item, wherever and how often it is seen. Null where it has none. */
const identity = z.string().nullable();

export const ImportItemView = z.strictObject({
  postId: Id,
  sourceId: Id.nullable(),
  externalId: z.string().nullable(),
  identity,
  feedId: Id,
  status: Outcome,
  title: z.string().nullable(),
  url: z.string().nullable(),
  publishedAt: time,
  fields: z.record(z.string(), z.union([z.string(), z.array(z.string())])).nullable(),
});

export function toItemView(item: ListedItem): z.infer<typeof ImportItemView> {
  const { postId, sourceId, externalId, feedId, outcome, title, url, publishedAt, fields } = item;
  return {
    ...{ postId, sourceId, externalId, identity: identityOf(sourceId, externalId), feedId },
    ...{ status: outcome, title, url, publishedAt: publishedAt?.toISOString() ?? null, fields },
  };
}

export const FailedItemView = z.strictObject({
  id: Id,
  feedId: Id,
  externalId: z.string().nullable(),
  identity,
  /** Where it stood in its page, from 1. */
  place: z.int(),
  reason: z.string(),
  failedAt: z.iso.datetime(),
  /** Whose replay stores it, if what is wrong was mended. Null while a replay is under way, or if it was discarded. */
  deadLetterId: Id.nullable(),
});

export function toFailedItemView(item: ListedFailure): z.infer<typeof FailedItemView> {
  const { id, feedId, sourceId, externalId, place, reason, failedAt, deadLetterId } = item;
  return {
    ...{ id, feedId, externalId, identity: identityOf(sourceId, externalId), place, reason },
    ...{ failedAt: failedAt.toISOString(), deadLetterId },
  };
}

const identityOf = (sourceId: string | null, externalId: string | null) =>
  sourceId && externalId !== null ? `${sourceId}#${externalId}` : null;
