import { Body, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { z } from 'zod';
import { CurrentUser, type User } from '../../../auth/users/user.js';
import { Freshness } from '../../../fetching/schedule/freshness.js';
import { Folder } from '../../../following/folder.js';
import { Following } from '../../../following/following.js';
import { AssumedBody } from '../../../platform/api/request-bodies.js';
import { RequestParameters } from '../../../platform/api/request-parameters.js';
import { Id } from '../../../platform/database/columns.js';
import { ReadAllStore } from '../../read-all.store.js';
import { type ReaderFolder, ReaderFolders } from '../core/reader-folders.js';
import { badRequest, bodyOf, MinifluxApi, notFound } from './miniflux-api.js';
import { MinifluxFeeds } from './miniflux-feeds.js';
import { folderTitled, toCategory } from './to-feed.js';

const Category = bodyOf(z.object({ title: Folder }));
type Category = z.infer<typeof Category>;

@MinifluxApi()
export class CategoriesController {
  constructor(
    private readonly folders: ReaderFolders,
    private readonly feeds: MinifluxFeeds,
    private readonly following: Following,
    private readonly reads: ReadAllStore,
    private readonly freshness: Freshness,
  ) {}

  @Get('categories')
  async list(@CurrentUser() { id }: User, @RequestParameters() parameters: URLSearchParams) {
    const categories = (await this.folders.list(id)).map((folder) => toCategory(id, folder));
    if (parameters.get('counts') !== 'true') return categories;
    const [feeds, { unreads }] = await Promise.all([this.feeds.list(id), this.feeds.counters(id)]);
    return categories.map((category) => {
      const own = feeds.filter((feed) => feed.category?.id === category.id);
      const unread = own.reduce((sum, feed) => sum + (unreads[feed.id] ?? 0), 0);
      return { ...category, feed_count: own.length, total_unread: unread };
    });
  }

  @Post('categories')
  @AssumedBody('json')
  async create(@CurrentUser() { id }: User, @Body({ schema: Category }) { title }: Category) {
    const known = (await this.folders.list(id)).some(({ folder }) => folder === folderTitled(title));
    if (known) throw badRequest('This category already exists.');
    return toCategory(id, await this.folders.create(id, title));
  }

  @Put('categories/:id')
  @HttpCode(201)
  @AssumedBody('json')
  async rename(
    @CurrentUser() { id: userId }: User,
    @Param('id', { schema: Id }) id: string,
    @Body({ schema: Category }) { title }: Category,
  ) {
    const known = await this.find(userId, id);
    if (known.folder === folderTitled(title)) return toCategory(userId, known);
    if (known.folder === null) throw badRequest('This category has the feeds without a folder and cannot be renamed.');
    await this.move(userId, known, folderTitled(title));
    return toCategory(userId, await this.folders.rename(userId, known, title));
  }

  /** Miniflux removes the feeds as well. Here they stay, without a folder. */
  @Delete('categories/:id')
  @HttpCode(204)
  async remove(@CurrentUser() { id: userId }: User, @Param('id', { schema: Id }) id: string) {
    const known = await this.find(userId, id);
    if (known.folder === null) throw badRequest('This category has the feeds without a folder and cannot be removed.');
    await this.move(userId, known, null);
    await this.folders.remove(userId, known);
  }

  @Get('categories/:id/feeds')
  async feedsOf(@CurrentUser() { id: userId }: User, @Param('id', { schema: Id }) id: string) {
    const { folder } = await this.find(userId, id);
    return this.feeds.list(userId, folder);
  }

  @Put('categories/:id/refresh')
  @HttpCode(204)
  @AssumedBody('json')
  async refresh(@CurrentUser() { id: userId }: User, @Param('id', { schema: Id }) id: string) {
    const { folder } = await this.find(userId, id);
    for (const feed of await this.feeds.list(userId, folder)) await this.freshness.refresh(userId, String(feed.id));
  }

  @Put('categories/:id/mark-all-as-read')
  @HttpCode(204)
  @AssumedBody('json')
  async markAllRead(@CurrentUser() { id: userId }: User, @Param('id', { schema: Id }) id: string) {
    const { folder } = await this.find(userId, id);
    await this.reads.readAll(userId, { onlyFolder: folder });
  }

  private async find(userId: string, id: string): Promise<ReaderFolder> {
    const found = await this.folders.find(userId, Number(id));
    if (!found) throw notFound();
    return found;
  }

  private async move(userId: string, { folder }: ReaderFolder, target: string | null): Promise<void> {
    for (const { id } of await this.feeds.list(userId, folder))
      await this.following.change(userId, String(id), { folder: target });
  }
}
