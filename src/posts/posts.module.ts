import { Module } from '@nestjs/common';
import { HtmlSanitiser } from './html-sanitiser.js';
import { MarksStore } from './marks.store.js';
import { PostsController } from './posts.controller.js';
import { PostsStore } from './posts.store.js';
import { ReadingChanges } from './reading/reading-changes.js';
import { SafeHorizon } from './reading/safe-horizon.js';
import { UnreadCounts } from './reading/unread-counts.js';
import { Retention } from './retention.js';
import { SearchIndex } from './search-index.js';

@Module({
  controllers: [PostsController],
  providers: [HtmlSanitiser, PostsStore, MarksStore, ReadingChanges, Retention, SafeHorizon, SearchIndex, UnreadCounts],
  exports: [PostsStore, MarksStore, ReadingChanges, SafeHorizon, UnreadCounts],
})
export class PostsModule {}
