import type { StreamFilter, StreamRequest } from '../core/item-streams.js';
import { badRequest } from './miniflux-api.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
const MAX_OFFSET = 100_000;

export interface EntriesRequest extends StreamRequest {
  offset: number;
  search: string | undefined;
  /** Set if nothing matches whatever the user has. */
  isEmpty: boolean;
  categoryId: number | undefined;
  feedId: string | undefined;
}

export function entriesRequest(parameters: URLSearchParams, maxLimit = MAX_LIMIT): EntriesRequest {
  const statuses = parameters.getAll('status').filter(Boolean);
  for (const status of statuses) {
    if (!['read', 'unread', 'removed'].includes(status)) throw badRequest(`invalid entry status: ${status}`);
  }
  const [read, unread] = [statuses.includes('read'), statuses.includes('unread')];
  const limit = wholeNumber(parameters, 'limit', DEFAULT_LIMIT);
  return {
    ...timesOf(parameters),
    read: read === unread ? undefined : read,
    starred: flagOf(parameters.get('starred')),
    aboveItem: idOf(parameters, 'after_entry_id'),
    belowItem: idOf(parameters, 'before_entry_id'),
    order: orderOf(parameters.get('order')),
    direction: directionOf(parameters.get('direction')),
    limit: Math.min(limit || maxLimit, maxLimit),
    offset: Math.min(wholeNumber(parameters, 'offset', 0), MAX_OFFSET),
    search: parameters.get('search')?.trim() || undefined,
    isEmpty: statuses.length > 0 && !read && !unread,
    categoryId: Number(idOf(parameters, 'category_id') ?? 0) || undefined,
    feedId: idOf(parameters, 'feed_id'),
  };
}

/** When an entry was read is not stored, so `changed_*` means the same as `created_*`: when it was found. */
function timesOf(parameters: URLSearchParams): StreamFilter {
  const after = (...names: string[]) => extreme(parameters, names, Math.max);
  const before = (...names: string[]) => extreme(parameters, names, Math.min);
  return {
    publishedSince: after('after', 'published_after'),
    publishedBefore: before('before', 'published_before'),
    foundSince: after('changed_after', 'created_after'),
    foundBefore: before('changed_before', 'created_before'),
  };
}

const MAX_TIME_MS = 8.64e15;

/** The values are in seconds. */
function extreme(parameters: URLSearchParams, names: string[], pick: (...times: number[]) => number): Date | undefined {
  const times = names.flatMap((name) => {
    const seconds = Number(parameters.get(name) ?? 0);
    return seconds > 0 ? [Math.min(seconds * 1_000, MAX_TIME_MS)] : [];
  });
  const time = times.length ? pick(...times) : undefined;
  return time === undefined || time >= Date.UTC(9999, 0) ? undefined : new Date(time);
}

function orderOf(order: string | null): 'item' | 'published' {
  if (order === null || order === '' || order === 'published_at') return 'published';
  if (['id', 'created_at', 'changed_at'].includes(order)) return 'item';
  if (['status', 'category_title', 'category_id', 'title', 'author'].includes(order)) return 'published';
  throw badRequest(`invalid entry order: ${order}`);
}

function directionOf(direction: string | null): 'asc' | 'desc' {
  if (!direction || direction === 'asc') return 'asc';
  if (direction === 'desc') return 'desc';
  throw badRequest(`invalid direction: ${direction}`);
}

const flagOf = (text: string | null) => (text === null || text === '' ? undefined : ['1', 'true', 't'].includes(text));

function wholeNumber(parameters: URLSearchParams, name: string, usual: number): number {
  const text = parameters.get(name);
  if (!text) return usual;
  if (!/^\d{1,15}$/.test(text)) throw badRequest(`invalid ${name}`);
  return Number(text);
}

const MAX_ID = '9223372036854775807';

/** Larger numbers than any id stand for the largest one. */
function idOf(parameters: URLSearchParams, name: string): string | undefined {
  const text = parameters.get(name) ?? '';
  if (!text || /^0+$/.test(text)) return undefined;
  if (!/^\d{1,30}$/.test(text)) throw badRequest(`invalid ${name}`);
  return BigInt(text) > BigInt(MAX_ID) ? MAX_ID : String(BigInt(text));
}
