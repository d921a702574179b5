import { Module } from '@nestjs/common';
import { Discovery } from './discovery.js';
import { Documents } from './documents.js';
import { FeedLists } from './feed-lists.js';
import { Following } from './following.js';
import { FollowsStore } from './follows.store.js';
import { MovesStore } from './moves.store.js';
import { OpmlController } from './opml.controller.js';
import { OpmlImport } from './opml-import.js';
import { SourceAddresses } from './source-addresses.js';
import { SourceViewsStore } from './source-views.store.js';
import { SourcesController } from './sources.controller.js';
import { SourcesStore } from './sources.store.js';

/** What is followed. `SourceTypes`, `Demand` and `ScheduleExplainer` come from a global module that knows about fetching. */
@Module({
  controllers: [OpmlController, SourcesController],
  providers: [
    SourcesStore,
    FollowsStore,
    Following,
    MovesStore,
    SourceViewsStore,
    SourceAddresses,
    Discovery,
    Documents,
    FeedLists,
    OpmlImport,
  ],
  exports: [SourcesStore, Following, MovesStore, SourceViewsStore, FeedLists],
})
export class SourcesModule {}
