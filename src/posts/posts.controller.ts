import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { CurrentUser, type User } from '../auth/users/user.js';
import { Id } from '../platform/database/columns.js';
import { ApiError } from '../platform/errors/api-error.js';
import { FeedItem, toFeedItem } from './feed-item.js';
import { MarksStore } from './marks.store.js';

const Read = z.strictObject({ read: z.boolean().default(true) }).prefault({});
type Read = z.infer<typeof Read>;
const Starred = z.strictObject({ starred: z.boolean().default(true) }).prefault({});
type Starred = z.infer<typeof Starred>;

const Marked = z.strictObject({ id: Id, read: z.boolean(), starred: z.boolean() });

@ApiTags('Posts')
@Controller('posts')
export class PostsController {
  constructor(private readonly marks: MarksStore) {}

  @Get(':id')
  @ApiResponse({ status: 200, standardSchema: FeedItem })
  async read(@CurrentUser() user: User, @Param('id', { schema: Id }) id: string) {
    return toFeedItem(existing(id, await this.marks.find(user.id, id)));
  }

  @Put(':id/read')
  @ApiResponse({ status: 200, standardSchema: Marked })
  async markRead(
    @CurrentUser() user: User,
    @Param('id', { schema: Id }) id: string,
    @Body({ schema: Read }) { read }: Read,
  ) {
    return existing(id, (await this.marks.setRead(user.id, [id], read))[0]);
  }

  @Delete(':id/read')
  @ApiResponse({ status: 200, standardSchema: Marked })
  async markUnread(@CurrentUser() user: User, @Param('id', { schema: Id }) id: string) {
    return existing(id, (await this.marks.setRead(user.id, [id], false))[0]);
  }

  @Put(':id/star')
  @ApiResponse({ status: 200, standardSchema: Marked })
  async star(
    @CurrentUser() user: User,
    @Param('id', { schema: Id }) id: string,
    @Body({ schema: Starred }) { starred }: Starred,
  ) {
    return existing(id, (await this.marks.setStarred(user.id, [id], starred))[0]);
  }

  @Delete(':id/star')
  @ApiResponse({ status: 200, standardSchema: Marked })
  async unstar(@CurrentUser() user: User, @Param('id', { schema: Id }) id: string) {
    return existing(id, (await this.marks.setStarred(user.id, [id], false))[0]);
  }
}

function existing<T>(id: string, found: T | undefined): T {
  if (!found) throw new ApiError('not_found', `There is no post ${id} of a source that you follow.`);
  return found;
}
