import { Module } from '@nestjs/common';
import { PostsModule } from '../../../posts/posts.module.js';
import { ReadAllStore } from '../../read-all.store.js';
import { ItemStreams } from './item-streams.js';
import { ReaderAnswers } from './reader-answers.js';
import { ReaderFeeds } from './reader-feeds.js';
import { ReaderFolders } from './reader-folders.js';
import { ReaderIcons } from './reader-icons.js';
import { ReaderItems } from './reader-items.js';

const PROVIDERS = [ItemStreams, ReadAllStore, ReaderAnswers, ReaderFeeds, ReaderFolders, ReaderIcons, ReaderItems];

/** What the APIs of all reading apps share. */
@Module({ imports: [PostsModule], providers: PROVIDERS, exports: PROVIDERS })
export class ReaderCoreModule {}
