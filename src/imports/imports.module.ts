import { Module } from '@nestjs/common';
import { PostsModule } from '../posts/posts.module.js';
import { SourcesModule } from '../sources/sources.module.js';
import { FailedItemsStore } from './failed-items.store.js';
import { FinishedImports } from './finished-imports.js';
import { HostTurns } from './host-turns.js';
import { ImportBacklog } from './import-backlog.js';
import { ImportBatchesStore } from './import-batches.store.js';
import { ImportFeedWorker } from './import-feed.worker.js';
import { ImportItemWorker } from './import-item.worker.js';
import { ImportItemsWorker } from './import-items.worker.js';
import { ImportListsController } from './import-lists.controller.js';
import { ImportListsStore } from './import-lists.store.js';
import { ImportMetrics } from './import-metrics.js';
import { ImportScheduler } from './import-scheduler.js';
import { ImportedFeedsStore } from './imported-feeds.store.js';
import { ImportedSources } from './imported-sources.js';
import { ImportsController } from './imports.controller.js';
import { ImportsStore } from './imports.store.js';
import { LiveImports } from './live-imports.js';
import { StartImport } from './start-import.js';
import { StoredItemsStore } from './stored-items.store.js';

/** Lists of feeds that are brought in at one go. */
@Module({
  imports: [SourcesModule, PostsModule],
  controllers: [ImportsController, ImportListsController],
  providers: [
    ...[StartImport, ImportsStore, ImportListsStore, LiveImports],
    ...[ImportScheduler, FinishedImports, ImportFeedWorker, ImportItemsWorker, ImportItemWorker],
    ...[ImportedFeedsStore, ImportBatchesStore, StoredItemsStore, FailedItemsStore, ImportedSources, HostTurns],
    ...[ImportMetrics, ImportBacklog],
  ],
})
export class ImportsModule {}
