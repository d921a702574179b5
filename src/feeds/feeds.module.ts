import { Module } from '@nestjs/common';
import { FetchingModule } from '../fetching/fetching.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { Timeline } from '../posts/timeline.js';
import { TimelineStore } from '../posts/timeline.store.js';
import { TimelineChanges } from '../posts/timeline-changes.js';
import { FeedController } from './feed.controller.js';
import { FeedTokenController } from './feed-token.controller.js';
import { FeedTokensStore } from './feed-tokens.store.js';
import { LiveFeedController } from './live-feed.controller.js';
import { LiveFeed } from './live-feed.js';
import { ReaderCoreModule } from './readers/core/reader-core.module.js';
import { FeverModule } from './readers/fever/fever.module.js';
import { GoogleReaderModule } from './readers/google-reader/google-reader.module.js';
import { MinifluxModule } from './readers/miniflux/miniflux.module.js';
import { TimelineFeedController } from './timeline-feed.controller.js';
import { TokenAccess } from './token-access.js';

@Module({
  imports: [FetchingModule, PostsModule, ReaderCoreModule, FeverModule, GoogleReaderModule, MinifluxModule],
  controllers: [FeedController, LiveFeedController, FeedTokenController, TimelineFeedController],
  providers: [TimelineStore, TimelineChanges, Timeline, LiveFeed, FeedTokensStore, TokenAccess],
})
export class FeedsModule {}
