import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { FeedLists } from '../following/feed-lists.js';
import type { OpmlFeed } from '../following/read-opml.js';
import { Database, type Db } from '../platform/database/database.js';
import { ApiError } from '../platform/errors/api-error.js';
import { LOG, type Log } from '../platform/log/log.js';
import { Clock } from '../platform/time/clock.js';
import { CheckedFeeds, type GivenFeed } from './feeds/checked-feeds.js';
import { ImportListsStore } from './import-lists.store.js';
import { ImportScheduler } from './import-scheduler.js';
import { type Import, ImportsStore, type NewImport } from './imports.store.js';
import { MAX_FEEDS } from './new-import.js';

const BATCH_SIZE = 1_000;
/** Folders are outlines, too, so the limit is higher than that of feeds. */
const MAX_OUTLINES = 1.25 * MAX_FEEDS;

type Slices = Iterable<GivenFeed[]> | AsyncIterable<GivenFeed[]>;

/**
 * Starts imports: all feeds are stored together and then enqueued. After a crash in between, the scheduler enqueues
 * them.
 */
@Injectable()
export class StartImport {
  constructor(
    private readonly database: Database,
    private readonly store: ImportsStore,
    private readonly feeds: ImportListsStore,
    private readonly lists: FeedLists,
    private readonly scheduler: ImportScheduler,
    private readonly clock: Clock,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async ofFeeds(wanted: NewImport, urls: string[]): Promise<Import> {
    return this.take(wanted, () => inSlices(urls));
  }

  async ofOpml(wanted: NewImport, opml: string): Promise<Import> {
    const listed = await this.lists.readOpml(opml, MAX_OUTLINES);
    return this.take(wanted, () => fromOpml(listed));
  }

  /** Repeats an import with all of its feeds, or with the failed ones only. */
  async again(old: Import, only: 'failed' | undefined): Promise<Import> {
    const { userId, follow, full, fields, id } = old;
    if (old.status === 'running')
      throw new ApiError('conflict', `The import ${id} still runs: wait until it has ended, or cancel it.`);
    if (only && !old.feeds.failed) throw new ApiError('conflict', `No feed of the import ${id} has failed.`);
    return this.take({ userId, follow, full, fields, rerunOf: id }, (db) => this.feeds.given(db, id, only));
  }

  /** Long lists take a while, so other requests are served between slices. */
  private async take(wanted: NewImport, slices: (db: Db) => Slices): Promise<Import> {
    const now = this.clock.now();
    const checked = new CheckedFeeds((address) => this.lists.identify(address));
    const id = await this.database.transaction(async (db) => {
      const id = await this.store.insert(db, wanted, now);
      for await (const slice of slices(db)) {
        await this.store.insertFeeds(db, id, checked.take(slice), now);
        await setImmediate();
      }
      checked.requireUsable();
      await this.store.noteDuplicates(db, id, checked.duplicates);
      return id;
    });
    await this.scheduler.putToWork().catch((err) => {
      this.log.warn(
        { event: 'import_enqueue_failed', err, importId: id },
        'Could not enqueue an import, retrying in the next round',
      );
    });
    const stored = await this.store.load(id);
    if (!stored) throw new Error('an import vanished while being made');
    return stored;
  }
}

function* inSlices(urls: string[]): Generator<GivenFeed[]> {
  for (let at = 0; at < urls.length; at += BATCH_SIZE) yield urls.slice(at, at + BATCH_SIZE).map((url) => ({ url }));
}

function* fromOpml(slices: Iterable<OpmlFeed[]>): Generator<GivenFeed[]> {
  let feeds = 0;
  for (const slice of slices) {
    feeds += slice.length;
    if (feeds > MAX_FEEDS)
      throw new ApiError('invalid_opml', `It lists more than ${MAX_FEEDS} feeds. Send it in parts.`);
    yield slice.map(({ xmlUrl, title, folder }) => ({ url: xmlUrl, title, folder }));
  }
  if (!feeds) throw new ApiError('invalid_opml', 'It lists no feeds.');
}
