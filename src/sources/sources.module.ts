import { Module } from '@nestjs/common';
import { Discovery } from '../following/discovery.js';
import { Documents } from '../following/documents.js';
import { FeedLists } from '../following/feed-lists.js';
import { Following } from '../following/following.js';
import { OpmlController } from '../following/opml.controller.js';
import { OpmlImport } from '../following/opml-import.js';
import { SourceAddresses } from '../following/source-addresses.js';
import { SourcesController } from '../following/sources.controller.js';
import { FollowsStore } from './follows.store.js';
import { MovesStore } from './moves.store.js';
import { SourceViewsStore } from './source-views.store.js';
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
