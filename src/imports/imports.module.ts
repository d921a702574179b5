import { Module } from '@nestjs/common';
import { FetchingModule } from '../fetching/fetching.module.js';
import { FollowingModule } from '../following/following.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { SourcesModule } from '../sources/sources.module.js';
import { HostSlots } from './feeds/host-slots.js';
import { ImportFeedWorker } from './feeds/import-feed.worker.js';
import { ImportedFeedsStore } from './feeds/imported-feeds.store.js';
import { ImportedSources } from './feeds/imported-sources.js';
import { FinishedImports } from './finished-imports.js';
import { ImportListsController } from './import-lists.controller.js';
import { ImportListsStore } from './import-lists.store.js';
import { ImportMetrics } from './import-metrics.js';
import { ImportBacklog, ImportScheduler } from './import-scheduler.js';
import { ImportsController } from './imports.controller.js';
import { ImportsStore } from './imports.store.js';
import { FailedItemsStore } from './items/failed-items.store.js';
import { ImportBatchesStore } from './items/import-batches.store.js';
import { ImportItemWorker } from './items/import-item.worker.js';
import { ImportItemsWorker } from './items/import-items.worker.js';
import { StoredItemsStore } from './items/stored-items.store.js';
import { LiveImports } from './live-imports.js';
import { StartImport } from './start-import.js';

/** Imports of many feeds at once. */
@Module({
  imports: [SourcesModule, PostsModule, FetchingModule, FollowingModule],
  controllers: [ImportsController, ImportListsController],
  providers: [
    StartImport,
    ImportsStore,
    ImportListsStore,
    LiveImports,
    ImportScheduler,
    FinishedImports,
    ImportFeedWorker,
    ImportItemsWorker,
    ImportItemWorker,
    ImportedFeedsStore,
    ImportBatchesStore,
    StoredItemsStore,
    FailedItemsStore,
    ImportedSources,
    HostSlots,
    ImportMetrics,
    ImportBacklog,
  ],
})
export class ImportsModule {}
