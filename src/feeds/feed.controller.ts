import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { CurrentUser, type User } from '../auth/users/user.js';
import { Freshness } from '../fetching/schedule/freshness.js';
import { Folder } from '../following/folder.js';
import { listQuery, pageOf } from '../platform/api/list-query.js';
import { Id, Text } from '../platform/database/columns.js';
import { FeedItem } from '../posts/feed-item.js';
import { Timeline } from '../posts/timeline.js';
import { TimelinePosition } from '../posts/timeline-position.js';
import { ReadAllStore } from './read-all.store.js';

const Flag = z.enum(['true', 'false']).transform((text) => text === 'true');

const FeedQuery = listQuery(TimelinePosition, {
  source: Id.optional(),
  folder: Folder.optional(),
  q: Text.trim().min(1).max(500).optional(),
  unread: Flag.optional(),
  starred: Flag.optional(),
});
type FeedQuery = z.infer<typeof FeedQuery>;
const SourcePostsQuery = listQuery(TimelinePosition, {});
type SourcePostsQuery = z.infer<typeof SourcePostsQuery>;
const FeedPage = pageOf(FeedItem);

const ReadAll = z.strictObject({ source: Id.optional(), folder: Folder.optional() }).prefault({});
type ReadAll = z.infer<typeof ReadAll>;
const Refresh = z.strictObject({ source: Id.optional() }).prefault({});
type Refresh = z.infer<typeof Refresh>;

@ApiTags('Feed')
@Controller()
export class FeedController {
  constructor(
    private readonly timeline: Timeline,
    private readonly freshness: Freshness,
    private readonly reads: ReadAllStore,
  ) {}

  @Get('feed')
  @ApiResponse({ status: 200, standardSchema: FeedPage })
  async read(@CurrentUser() user: User, @Query({ schema: FeedQuery }) { cursor, limit, ...filter }: FeedQuery) {
    const page = await this.timeline.page(user.id, filter, { after: cursor, limit });
    this.freshness.refreshStale(user.id, filter.source);
    return page;
  }

  @Get('sources/:id/posts')
  @ApiResponse({ status: 200, standardSchema: FeedPage })
  async readSource(
    @CurrentUser() user: User,
    @Param('id', { schema: Id }) id: string,
    @Query({ schema: SourcePostsQuery }) { cursor, limit }: SourcePostsQuery,
  ) {
    const page = await this.timeline.page(user.id, { source: id }, { after: cursor, limit });
    this.freshness.refreshStale(user.id, id);
    return page;
  }

  @Post('feed/read-all')
  @HttpCode(200)
  @ApiResponse({ status: 200, standardSchema: z.strictObject({ sources: z.int() }) })
  async readAll(@CurrentUser() user: User, @Body({ schema: ReadAll }) { source, folder }: ReadAll) {
    if (source !== undefined) await this.timeline.requireFollowed(user.id, source);
    return { sources: await this.reads.readAll(user.id, { source, folder }) };
  }

  @Post('feed/refresh')
  @HttpCode(202)
  @ApiResponse({ status: 202, standardSchema: z.strictObject({ requested: z.int() }) })
  async refresh(@CurrentUser() user: User, @Body({ schema: Refresh }) { source }: Refresh) {
    if (source !== undefined) await this.timeline.requireFollowed(user.id, source);
    return { requested: await this.freshness.refresh(user.id, source) };
  }
}
