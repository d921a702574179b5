import { Module } from '@nestjs/common';
import { AllSourcesStore } from './all-sources.store.js';
import { FollowsStore } from './follows.store.js';
import { MovesStore } from './moves.store.js';
import { SourceViewsStore } from './source-views.store.js';
import { SourcesStore } from './sources.store.js';

const STORES = [SourcesStore, FollowsStore, MovesStore, SourceViewsStore, AllSourcesStore];

@Module({ providers: STORES, exports: STORES })
export class SourcesModule {}
