import { createHash } from 'node:crypto';
import type { ReaderFeed } from '../core/reader-feeds.js';
import type { ReaderFolder } from '../core/reader-folders.js';
import type { ReaderItem } from '../core/reader-items.js';
import { toFeed } from './to-feed.js';

const WORDS_PER_MINUTE = 265;
/** Enclosures of an entry have the ids after this multiple of its own; see `enclosureIdOf`. */
const MAX_ENCLOSURES = 16;

interface FeedsAndFolders {
  feeds: Map<string, ReaderFeed>;
  folders: ReaderFolder[];
}

export function toEntry(userId: string, item: ReaderItem, { feeds, folders }: FeedsAndFolders) {
  const id = Number(item.itemId);
  return {
    id,
    user_id: Number(userId),
    feed_id: Number(item.sourceId),
    status: item.read ? 'read' : 'unread',
    hash: createHash('sha256').update(item.externalId).digest('hex'),
    title: item.title || item.sourceTitle || item.author.displayName || 'Untitled',
    url: item.url ?? '',
    comments_url: '',
    language: '',
    published_at: new Date(item.publishedAt).toISOString(),
    created_at: new Date(item.foundAt).toISOString(),
    changed_at: new Date(item.foundAt).toISOString(),
    content: item.content,
    author: item.author.displayName || item.author.username,
    share_code: '',
    starred: item.starred,
    reading_time: Math.max(1, Math.ceil(item.content.split(/\s+/).length / WORDS_PER_MINUTE)),
    enclosures: enclosuresOf(userId, item),
    feed: toFeed(userId, feeds.get(item.sourceId) ?? unfollowed(item), folders),
    tags: [],
  };
}

export function enclosuresOf(userId: string, { itemId, media }: ReaderItem) {
  return media.slice(0, MAX_ENCLOSURES).map(({ url, type = 'application/octet-stream' }, at) => ({
    id: enclosureIdOf(itemId, at),
    user_id: Number(userId),
    entry_id: Number(itemId),
    url,
    mime_type: type,
    size: 0,
    media_progression: 0,
  }));
}

const enclosureIdOf = (itemId: string, at: number) => Number(itemId) * MAX_ENCLOSURES + at;

export const itemOfEnclosure = (enclosureId: string) => String(BigInt(enclosureId) / BigInt(MAX_ENCLOSURES));

/** A starred item may belong to a source that the user has left. */
function unfollowed(item: ReaderItem): ReaderFeed {
  return {
    id: item.sourceId,
    type: item.sourceType,
    externalId: item.sourceExternalId,
    title: item.sourceTitle,
    siteUrl: item.sourceSiteUrl,
    folder: null,
    followedAt: item.foundAt,
    lastFetchAt: null,
    nextFetchAt: null,
    lastError: null,
    failures: 0,
    iconId: null,
    icon: null,
  };
}
