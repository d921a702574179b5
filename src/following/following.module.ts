import { Module } from '@nestjs/common';
import { FetchingModule } from '../fetching/fetching.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { SourcesModule } from '../sources/sources.module.js';
import { AllSourcesController } from './all-sources.controller.js';
import { Discovery } from './discovery.js';
import { Documents } from './documents.js';
import { FeedLists } from './feed-lists.js';
import { FoldersController } from './folders.controller.js';
import { Following } from './following.js';
import { OpmlController } from './opml.controller.js';
import { OpmlImport } from './opml-import.js';
import { SourcesController } from './sources.controller.js';

@Module({
  imports: [SourcesModule, PostsModule, FetchingModule],
  controllers: [AllSourcesController, FoldersController, OpmlController, SourcesController],
  providers: [Following, Discovery, Documents, FeedLists, OpmlImport],
  exports: [Following, FeedLists, Discovery, OpmlImport],
})
export class FollowingModule {}
