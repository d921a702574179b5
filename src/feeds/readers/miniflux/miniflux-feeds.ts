import { Injectable } from '@nestjs/common';
import { Discovery } from '../../../following/discovery.js';
import { Following } from '../../../following/following.js';
import { UnreadCounts } from '../../../posts/reading/unread-counts.js';
import { ReaderFeeds } from '../core/reader-feeds.js';
import { ReaderFolders } from '../core/reader-folders.js';
import { badRequest, notFound } from './miniflux-api.js';
import { toFeed } from './to-feed.js';

@Injectable()
export class MinifluxFeeds {
  constructor(
    private readonly feeds: ReaderFeeds,
    private readonly folders: ReaderFolders,
    private readonly counts: UnreadCounts,
    private readonly discovery: Discovery,
    private readonly following: Following,
  ) {}

  /** Undefined: of all categories. */
  async list(userId: string, folder?: string | null) {
    const [feeds, folders] = await Promise.all([this.feeds.list(userId), this.folders.list(userId)]);
    return feeds
      .filter((feed) => folder === undefined || feed.folder === folder)
      .map((feed) => toFeed(userId, feed, folders));
  }

  async find(userId: string, id: string) {
    const found = (await this.list(userId)).find((feed) => String(feed.id) === id);
    if (!found) throw notFound();
    return found;
  }

  /** Read posts are not counted: nothing but their number would be the use. */
  async counters(userId: string) {
    const counts = await this.counts.ofUser(userId);
    const unreads = counts.filter(({ unread }) => unread > 0).map(({ sourceId, unread }) => [sourceId, unread]);
    return { reads: {}, unreads: Object.fromEntries(unreads) };
  }

  async create(userId: string, url: string, categoryId: number | undefined): Promise<string> {
    const folder = categoryId ? ((await this.folderOf(userId, categoryId)) ?? undefined) : undefined;
    const [{ title: _, ...source }] = await this.discovery.find(url);
    return this.following.follow(userId, { ...source, folder });
  }

  async folderOf(userId: string, categoryId: number): Promise<string | null> {
    const found = await this.folders.find(userId, categoryId);
    if (!found) throw badRequest('This category does not exist or does not belong to this user.');
    return found.folder;
  }
}
