import { Module } from '@nestjs/common';
import { FetchingModule } from '../../../fetching/fetching.module.js';
import { FollowingModule } from '../../../following/following.module.js';
import { PostsModule } from '../../../posts/posts.module.js';
import { SourcesModule } from '../../../sources/sources.module.js';
import { ReaderCoreModule } from '../core/reader-core.module.js';
import { AccountController } from './account.controller.js';
import { DocumentsController } from './documents.controller.js';
import { LoginController } from './login.controller.js';
import { MarksController } from './marks.controller.js';
import { StreamsController } from './streams.controller.js';
import { SubscriptionListController } from './subscription-list.controller.js';
import { SubscriptionsController } from './subscriptions.controller.js';
import { TagsController } from './tags.controller.js';

@Module({
  imports: [ReaderCoreModule, PostsModule, SourcesModule, FetchingModule, FollowingModule],
  controllers: [
    LoginController,
    AccountController,
    SubscriptionListController,
    SubscriptionsController,
    DocumentsController,
    TagsController,
    StreamsController,
    MarksController,
  ],
})
export class GoogleReaderModule {}
