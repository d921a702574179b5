import { Injectable } from '@nestjs/common';
import { opmlAddress } from '../../../following/opml-address.js';
import { Id } from '../../../platform/database/columns.js';
import { ItemStreams, type StreamFilter } from '../core/item-streams.js';
import { type ReaderFeed, ReaderFeeds } from '../core/reader-feeds.js';
import { ReaderFolders } from '../core/reader-folders.js';
import { iconData, ReaderIcons } from '../core/reader-icons.js';
import { type ReaderItem, ReaderItems } from '../core/reader-items.js';

const PAGE = 50;
/** Clients ask for 50 ids at a time, as the documentation says; some ask for more. */
const MAX_WITH_IDS = 1_000;
const MAX_ITEM_IDS = 100_000;
const MAX_COUNTED = 10_000;
const NO_FOLDER_TITLE = 'All';
const NO_ICON = 0;

@Injectable()
export class FeverAnswers {
  constructor(
    private readonly feeds: ReaderFeeds,
    private readonly folders: ReaderFolders,
    private readonly icons: ReaderIcons,
    private readonly streams: ItemStreams,
    private readonly items: ReaderItems,
  ) {}

  /** Everything that the parameters ask for. Any number of them may be combined. */
  async of(userId: string, parameters: URLSearchParams): Promise<Record<string, unknown>> {
    const feeds = await this.feeds.list(userId);
    const asks = (name: string) => parameters.has(name);
    return {
      last_refreshed_on_time: Math.max(0, ...feeds.map(({ lastFetchAt }) => seconds(lastFetchAt))),
      ...((asks('groups') || asks('feeds')) && (await this.groups(userId, feeds, asks('groups')))),
      ...(asks('feeds') && { feeds: feeds.map(toFeed) }),
      ...(asks('favicons') && {
        favicons: (await this.icons.list(userId)).map((icon) => ({ id: Number(icon.id), data: iconData(icon) })),
      }),
      ...(asks('items') && (await this.page(userId, parameters))),
      ...(asks('links') && { links: [] }),
      ...(asks('unread_item_ids') && { unread_item_ids: await this.idsOf(userId, { read: false }) }),
      ...(asks('saved_item_ids') && { saved_item_ids: await this.idsOf(userId, { starred: true }) }),
    };
  }

  private async groups(userId: string, feeds: ReaderFeed[], isListed: boolean) {
    const folders = await this.folders.list(userId);
    const members = folders.map(({ id, folder }) => ({
      group_id: id,
      feed_ids: feeds
        .filter((feed) => feed.folder === folder)
        .map((feed) => feed.id)
        .join(','),
    }));
    return {
      ...(isListed && { groups: folders.map(({ id, folder }) => ({ id, title: folder ?? NO_FOLDER_TITLE })) }),
      feeds_groups: members.filter(({ feed_ids }) => feed_ids),
    };
  }

  private async page(userId: string, parameters: URLSearchParams) {
    const ids = await this.itemIds(userId, parameters);
    const items = await this.items.findItems(userId, ids);
    const total = await this.streams.items(userId, {}, MAX_COUNTED);
    return { items: items.map(toItem), total_items: total.length };
  }

  private async itemIds(userId: string, parameters: URLSearchParams): Promise<string[]> {
    const withIds = parameters.get('with_ids');
    if (withIds !== null) {
      const ids = withIds.split(',').map((id) => id.trim());
      return ids.filter((id) => Id.safeParse(id).success).slice(0, MAX_WITH_IDS);
    }
    const since = numberIn(parameters, 'since_id');
    const below = numberIn(parameters, 'max_id');
    const limits = { aboveItem: since, belowItem: below === '0' ? undefined : below };
    const direction = since === undefined ? 'desc' : 'asc';
    const page = await this.streams.page(userId, { ...limits, order: 'item', direction, limit: PAGE });
    return page.items.map(({ itemId }) => itemId);
  }

  private async idsOf(userId: string, filter: StreamFilter): Promise<string> {
    const items = await this.streams.items(userId, filter, MAX_ITEM_IDS);
    return items.map(({ itemId }) => itemId).join(',');
  }
}

/** Clients send the largest number that they can hold to mean any. */
function numberIn(parameters: URLSearchParams, name: string): string | undefined {
  const text = parameters.get(name)?.trim();
  return text && /^\d{1,18}$/.test(text) ? String(BigInt(text)) : undefined;
}

const seconds = (time: Date | null) => (time === null ? 0 : Math.floor(new Date(time).getTime() / 1_000));

const toFeed = (feed: ReaderFeed) => ({
  id: Number(feed.id),
  favicon_id: Number(feed.iconId ?? NO_ICON),
  title: feed.title ?? feed.externalId,
  url: opmlAddress(feed),
  site_url: feed.siteUrl ?? '',
  is_spark: 0,
  last_updated_on_time: seconds(feed.lastFetchAt),
});

const toItem = (item: ReaderItem) => ({
  id: Number(item.itemId),
  feed_id: Number(item.sourceId),
  title: item.title ?? '',
  author: item.author.displayName || item.author.username,
  html: item.content,
  url: item.url ?? '',
  is_saved: Number(item.starred),
  is_read: Number(item.read),
  created_on_time: seconds(item.publishedAt),
});
