import { Body, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { z } from 'zod';
import { CurrentUser, type User } from '../../../auth/users/user.js';
import { Freshness } from '../../../fetching/schedule/freshness.js';
import { Following } from '../../../following/following.js';
import { AssumedBody } from '../../../platform/api/request-bodies.js';
import { Id, Text } from '../../../platform/database/columns.js';
import { ReadAllStore } from '../../read-all.store.js';
import { iconData, type ReaderIcon, ReaderIcons } from '../core/reader-icons.js';
import { bodyOf, MinifluxApi, notFound } from './miniflux-api.js';
import { MinifluxFeeds } from './miniflux-feeds.js';

const NewFeed = bodyOf(z.object({ feed_url: Text.trim().min(1).max(2_000), category_id: z.int().optional() }));
type NewFeed = z.infer<typeof NewFeed>;

const FeedChange = bodyOf(
  z.object({ title: Text.trim().max(500).nullish(), category_id: z.int().nullish(), feed_url: z.string().nullish() }),
);
type FeedChange = z.infer<typeof FeedChange>;

@MinifluxApi()
export class FeedsController {
  constructor(
    private readonly feeds: MinifluxFeeds,
    private readonly following: Following,
    private readonly freshness: Freshness,
    private readonly reads: ReadAllStore,
    private readonly icons: ReaderIcons,
  ) {}

  @Get('feeds')
  list(@CurrentUser() { id }: User) {
    return this.feeds.list(id);
  }

  @Get('feeds/counters')
  counters(@CurrentUser() { id }: User) {
    return this.feeds.counters(id);
  }

  @Get('feeds/:id')
  read(@CurrentUser() { id: userId }: User, @Param('id', { schema: Id }) id: string) {
    return this.feeds.find(userId, id);
  }

  @Post('feeds')
  @AssumedBody('json')
  async create(@CurrentUser() { id: userId }: User, @Body({ schema: NewFeed }) { feed_url, category_id }: NewFeed) {
    return { feed_id: Number(await this.feeds.create(userId, feed_url, category_id)) };
  }

  @Put('feeds/refresh')
  @HttpCode(204)
  @AssumedBody('json')
  async refreshAll(@CurrentUser() { id }: User) {
    await this.freshness.refresh(id);
  }

  @Put('feeds/:id')
  @HttpCode(201)
  @AssumedBody('json')
  async change(
    @CurrentUser() { id: userId }: User,
    @Param('id', { schema: Id }) id: string,
    @Body({ schema: FeedChange }) { title, category_id }: FeedChange,
  ) {
    const folder = category_id ? await this.feeds.folderOf(userId, category_id) : undefined;
    if (!(await this.following.change(userId, id, { title: title || undefined, folder }))) throw notFound();
    return this.feeds.find(userId, id);
  }

  @Delete('feeds/:id')
  @HttpCode(204)
  async remove(@CurrentUser() { id: userId }: User, @Param('id', { schema: Id }) id: string) {
    if (!(await this.following.unfollow(userId, id))) throw notFound();
  }

  @Put('feeds/:id/refresh')
  @HttpCode(204)
  @AssumedBody('json')
  async refresh(@CurrentUser() { id: userId }: User, @Param('id', { schema: Id }) id: string) {
    await this.feeds.find(userId, id);
    await this.freshness.refresh(userId, id);
  }

  @Put('feeds/:id/mark-all-as-read')
  @HttpCode(204)
  @AssumedBody('json')
  async markAllRead(@CurrentUser() { id: userId }: User, @Param('id', { schema: Id }) id: string) {
    await this.feeds.find(userId, id);
    await this.reads.readAll(userId, { source: id });
  }

  @Get('feeds/:id/icon')
  async iconOfFeed(@CurrentUser() { id: userId }: User, @Param('id', { schema: Id }) id: string) {
    const { icon } = await this.feeds.find(userId, id);
    return this.icon(userId, icon ? String(icon.icon_id) : undefined);
  }

  @Get('icons/:id')
  iconById(@CurrentUser() { id: userId }: User, @Param('id', { schema: Id }) id: string) {
    return this.icon(userId, id);
  }

  private async icon(userId: string, iconId: string | undefined) {
    const icon = iconId === undefined ? undefined : await this.icons.find(userId, iconId);
    if (!icon) throw notFound();
    return toIcon(icon);
  }
}

const toIcon = (icon: ReaderIcon) => ({ id: Number(icon.id), mime_type: icon.mime, data: iconData(icon) });
