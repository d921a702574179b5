import { Injectable } from '@nestjs/common';
import { UnreadCounts } from '../../../posts/reading/unread-counts.js';
import { TimelineStore } from '../../../posts/timeline.store.js';
import { ItemStreams, type StreamFilter, type StreamRequest } from '../core/item-streams.js';
import { ReaderFeeds } from '../core/reader-feeds.js';
import { ReaderFolders } from '../core/reader-folders.js';
import { type ReaderItem, ReaderItems } from '../core/reader-items.js';
import type { EntriesRequest } from './entry-filter.js';
import { badRequest } from './miniflux-api.js';
import { toEntry } from './to-entry.js';

/** Up to this many entries are counted exactly; beyond it the total only says that there are more. */
const MAX_COUNTED = 10_000;

@Injectable()
export class MinifluxEntries {
  constructor(
    private readonly streams: ItemStreams,
    private readonly items: ReaderItems,
    private readonly feeds: ReaderFeeds,
    private readonly folders: ReaderFolders,
    private readonly timeline: TimelineStore,
    private readonly counts: UnreadCounts,
  ) {}

  async page(userId: string, { isEmpty, search, categoryId, feedId, ...request }: EntriesRequest) {
    if (isEmpty) return { total: 0, entries: [] };
    const filter = await this.filterOf(userId, { categoryId, feedId });
    if (search !== undefined) return this.found(userId, search, { ...request, ...filter });
    const { ids, total } = await this.idsOf(userId, { ...request, ...filter });
    return { total, entries: await this.toEntries(userId, await this.items.findItems(userId, ids)) };
  }

  async ids(userId: string, { isEmpty, search: _, categoryId, feedId, ...request }: EntriesRequest) {
    if (isEmpty) return { total: 0, entry_ids: [] };
    const filter = await this.filterOf(userId, { categoryId, feedId });
    const { ids, total } = await this.idsOf(userId, { ...request, ...filter });
    return { total, entry_ids: ids.map(Number) };
  }

  async find(userId: string, itemId: string) {
    return (await this.toEntries(userId, await this.items.findItems(userId, [itemId])))[0];
  }

  private async toEntries(userId: string, items: ReaderItem[]) {
    const [feeds, folders] = await Promise.all([this.feeds.list(userId), this.folders.list(userId)]);
    const byId = new Map(feeds.map((feed) => [feed.id, feed]));
    return items.map((item) => toEntry(userId, item, { feeds: byId, folders }));
  }

  private async idsOf(userId: string, request: StreamRequest & { offset: number }) {
    const { items, next } = await this.streams.page(userId, request);
    const seen = request.offset + items.length;
    const total = next ? Math.max(seen + 1, await this.count(userId, request)) : seen;
    return { ids: items.map(({ itemId }) => itemId), total };
  }

  private async count(userId: string, { order: _, direction: __, limit: ___, offset: ____, ...filter }: StreamRequest) {
    const { read, source, folder, ...others } = filter;
    if (read !== false || Object.values(others).some((value) => value !== undefined))
      return (await this.streams.items(userId, filter, MAX_COUNTED)).length;
    return (await this.counts.ofUser(userId))
      .filter((count) => source === undefined || count.sourceId === source)
      .filter((count) => folder === undefined || count.folder === folder)
      .reduce((sum, { unread }) => sum + unread, 0);
  }

  /** Newest first, whatever the order that was asked for. */
  private async found(userId: string, q: string, request: StreamRequest & { offset: number }) {
    const { source, folder, read, starred, limit, offset } = request;
    const filter = { q, source, folder: folder ?? undefined, unread: read === false, starred };
    const posts = await this.timeline.list(userId, filter, { limit: offset + limit + 1 });
    const page = posts.slice(offset, offset + limit).map(({ id }) => id);
    return { total: posts.length, entries: await this.toEntries(userId, await this.items.find(userId, page)) };
  }

  private async filterOf(userId: string, { categoryId, feedId }: Pick<EntriesRequest, 'categoryId' | 'feedId'>) {
    const filter: StreamFilter = {};
    if (categoryId !== undefined) {
      const found = await this.folders.find(userId, categoryId);
      if (!found) throw badRequest('invalid category ID');
      filter.folder = found.folder;
    }
    if (feedId !== undefined) {
      const isFollowed = (await this.feeds.list(userId)).some(({ id }) => id === feedId);
      if (!isFollowed) throw badRequest('invalid feed ID');
      filter.source = feedId;
    }
    return filter;
  }
}
