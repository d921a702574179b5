import { Module } from '@nestjs/common';
import { HtmlSanitiser } from './html-sanitiser.js';
import { MarksStore } from './marks.store.js';
import { PostsController } from './posts.controller.js';
import { PostsStore } from './posts.store.js';
import { Retention } from './retention.js';
import { SearchIndex } from './search-index.js';

@Module({
  controllers: [PostsController],
  providers: [HtmlSanitiser, PostsStore, MarksStore, Retention, SearchIndex],
  exports: [PostsStore, MarksStore],
})
export class PostsModule {}
