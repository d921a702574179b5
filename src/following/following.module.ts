import { Module } from '@nestjs/common';
import { FetchingModule } from '../fetching/fetching.module.js';
import { SourcesModule } from '../sources/sources.module.js';
import { Discovery } from './discovery.js';
import { Documents } from './documents.js';
import { FeedLists } from './feed-lists.js';
import { Following } from './following.js';
import { OpmlController } from './opml.controller.js';
import { OpmlImport } from './opml-import.js';
import { SourcesController } from './sources.controller.js';

@Module({
  imports: [SourcesModule, FetchingModule],
  controllers: [OpmlController, SourcesController],
  providers: [Following, Discovery, Documents, FeedLists, OpmlImport],
  exports: [Following, FeedLists],
})
export class FollowingModule {}
