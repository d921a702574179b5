import { Controller, Get, UseInterceptors } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { CurrentUser, type User } from '../auth/users/user.js';
import { EntityTags } from '../platform/api/entity-tag.js';
import { pageOf } from '../platform/api/list-query.js';
import { type UnreadCount, UnreadCounts } from '../posts/reading/unread-counts.js';
import { levelsOf } from './folder.js';

/** A folder counts the folders below it as well, as lists of a folder show them. */
const FolderView = z.strictObject({ folder: z.string(), sources: z.int(), unread: z.int() });
type FolderView = z.infer<typeof FolderView>;
const Folders = pageOf(FolderView).extend({
  /** Of all sources, with and without a folder. */
  total: FolderView.omit({ folder: true }),
});

@ApiTags('Sources')
@Controller('folders')
export class FoldersController {
  constructor(private readonly counts: UnreadCounts) {}

  @Get()
  @UseInterceptors(EntityTags)
  @ApiResponse({ status: 200, standardSchema: Folders })
  async list(@CurrentUser() user: User) {
    const counts = await this.counts.ofUser(user.id);
    const total = { sources: counts.length, unread: counts.reduce((sum, { unread }) => sum + unread, 0) };
    return { items: foldersOf(counts), nextCursor: null, total };
  }
}

function foldersOf(counts: UnreadCount[]): FolderView[] {
  const folders = new Map<string, FolderView>();
  for (const { folder, unread } of counts) {
    const levels = levelsOf(folder ?? '');
    for (const level of levels.keys()) {
      const path = levels.slice(0, level + 1).join('/');
      const view = folders.get(path) ?? { folder: path, sources: 0, unread: 0 };
      view.sources += 1;
      view.unread += unread;
      folders.set(path, view);
    }
  }
  return [...folders.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1));
}
