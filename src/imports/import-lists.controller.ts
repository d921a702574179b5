import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { CurrentUser } from '../auth/users/current-user.js';
import type { User } from '../auth/users/user.js';
import { listQuery, page, pageOf } from '../platform/api/list-query.js';
import { Id } from '../platform/database/columns.js';
import { ApiError } from '../platform/errors/api-error.js';
import {
  FailedItemView,
  ImportFeedView,
  ImportItemView,
  toFailedItemView,
  toFeedView,
  toItemView,
} from './import-list-views.js';
import { ImportListsStore } from './import-lists.store.js';
import { FeedStatus } from './import-status.js';
import { ImportsStore } from './imports.store.js';
import type { ImportRow } from './imports.table.js';
import { fieldQueries, ItemsQuery } from './items/import-items-query.js';

const FeedList = listQuery(z.tuple([Id]), { status: FeedStatus.optional() });
type FeedList = z.infer<typeof FeedList>;

const FIELD = {
  name: 'field.name',
  required: false,
  type: 'string',
  description:
    'For each field of the import, by its name: its value, whatever the case; with `*` at the end, its beginning',
};

@ApiTags('Imports')
@Controller('imports/:id')
export class ImportListsController {
  constructor(
    private readonly imports: ImportsStore,
    private readonly lists: ImportListsStore,
  ) {}

  @Get('feeds')
  @ApiResponse({ status: 200, standardSchema: pageOf(ImportFeedView) })
  async feeds(
    @CurrentUser() user: User,
    @Param('id', { schema: Id }) id: string,
    @Query({ schema: FeedList }) { limit, cursor, status }: FeedList,
  ) {
    await this.existing(user, id);
    const rows = await this.lists.feeds(id, { status, after: cursor?.[0], limit: limit + 1 });
    return page(rows.map(toFeedView), limit, (feed) => [feed.id]);
  }

  @Get('items')
  @ApiQuery(FIELD)
  @ApiResponse({ status: 200, standardSchema: pageOf(z.union([ImportItemView, FailedItemView])) })
  async items(
    @CurrentUser() user: User,
    @Param('id', { schema: Id }) id: string,
    @Query({ schema: ItemsQuery }) query: ItemsQuery,
  ) {
    const { limit, cursor, status, feed: feedId } = query;
    const fields = fieldQueries(query, (await this.existing(user, id)).fields);
    const wanted = { importId: id, feedId, after: cursor?.[0], limit: limit + 1 };
    if (status === 'failed') {
      const rows = await this.lists.failures(wanted);
      return page(rows.map(toFailedItemView), limit, (item) => [item.id]);
    }
    const rows = await this.lists.items({ ...wanted, outcome: status, fields });
    return page(rows.map(toItemView), limit, ({ postId }) => [postId]);
  }

  private async existing(user: User, id: string): Promise<ImportRow> {
    const found = await this.imports.findRow(user.id, id);
    if (!found) throw new ApiError('not_found', `You have no import ${id}.`);
    return found;
  }
}
