import { Module } from '@nestjs/common';
import { FetchingModule } from '../../../fetching/fetching.module.js';
import { FollowingModule } from '../../../following/following.module.js';
import { PostsModule } from '../../../posts/posts.module.js';
import { TimelineStore } from '../../../posts/timeline.store.js';
import { SourcesModule } from '../../../sources/sources.module.js';
import { ReaderCoreModule } from '../core/reader-core.module.js';
import { AccountController, OpmlController } from './account.controller.js';
import { CategoriesController } from './categories.controller.js';
import { EntriesController } from './entries.controller.js';
import { FeedsController } from './feeds.controller.js';
import { MinifluxEntries } from './miniflux-entries.js';
import { MinifluxFeeds } from './miniflux-feeds.js';

@Module({
  imports: [ReaderCoreModule, PostsModule, SourcesModule, FetchingModule, FollowingModule],
  controllers: [AccountController, OpmlController, FeedsController, CategoriesController, EntriesController],
  providers: [TimelineStore, MinifluxEntries, MinifluxFeeds],
})
export class MinifluxModule {}
