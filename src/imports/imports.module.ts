import { Module } from '@nestjs/common';
import { FetchingModule } from '../fetching/fetching.module.js';
import { FollowingModule } from '../following/following.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { SourcesModule } from '../sources/sources.module.js';
import { FeedReader } from './feeds/feed-reader.js';
import { ImportFeedWorker } from './feeds/import-feed.worker.js';
import { ImportedFeedsStore } from './feeds/imported-feeds.store.js';
import { ImportedSources } from './feeds/imported-sources.js';
import { ImportContentsController } from './import-contents.controller.js';
import { ImportContentsStore } from './import-contents.store.js';
import { ImportMetrics } from './import-metrics.js';
import { ImportBacklog, ImportScheduler } from './import-scheduler.js';
import { ImportsController } from './imports.controller.js';
import { ImportsStore } from './imports.store.js';
import { FollowedFields } from './items/followed-fields.js';
import { ImportBatchesStore } from './items/import-batches.store.js';
import { ImportItemsStore } from './items/import-items.store.js';
import { ImportItemsWorker } from './items/import-items.worker.js';
import { ItemWriter } from './items/item-writer.js';
import { ReplayItemWorker } from './items/replay-item.worker.js';
import { LiveImports } from './live-imports.js';
import { StartImport } from './start-import.js';

@Module({
  imports: [SourcesModule, PostsModule, FetchingModule, FollowingModule],
  controllers: [ImportsController, ImportContentsController],
  providers: [
    StartImport,
    ImportsStore,
    ImportContentsStore,
    LiveImports,
    ImportScheduler,
    ImportFeedWorker,
    ImportItemsWorker,
    ReplayItemWorker,
    ImportedFeedsStore,
    FollowedFields,
    ImportBatchesStore,
    ImportItemsStore,
    ItemWriter,
    ImportedSources,
    FeedReader,
    ImportMetrics,
    ImportBacklog,
  ],
})
export class ImportsModule {}
