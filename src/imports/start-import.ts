import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { FeedLists, MAX_EXTERNAL_ID_LENGTH } from '../following/feed-lists.js';
import type { OpmlFeed } from '../following/read-opml.js';
import { Database, type Db } from '../platform/database/database.js';
import { ApiError, type FieldError } from '../platform/errors/api-error.js';
import { storableText } from '../platform/jobs/storable.js';
import { keyOf } from '../sources/sources.store.js';
import type { SourceIdentity } from '../sources/sources.table.js';
import { ImportContentsStore } from './import-contents.store.js';
import { ImportScheduler } from './import-scheduler.js';
import { type Import, ImportsStore, type NewFeed, type NewImport } from './imports.store.js';
import { MAX_FEEDS } from './new-import.js';

const BATCH_SIZE = 1_000;
/** Folders are outlines, too, so the limit is higher than that of feeds. */
const MAX_OUTLINES = 1.25 * MAX_FEEDS;

interface EnteredFeed {
  url: string;
  title?: string | null | undefined;
  folder?: string | null | undefined;
}

type Slices = Iterable<EnteredFeed[]> | AsyncIterable<EnteredFeed[]>;

/** All feeds are stored together and then enqueued. After a crash in between, the scheduler enqueues them. */
@Injectable()
export class StartImport {
  constructor(
    private readonly database: Database,
    private readonly store: ImportsStore,
    private readonly contents: ImportContentsStore,
    private readonly feedLists: FeedLists,
    private readonly scheduler: ImportScheduler,
  ) {}

  async ofFeeds(wanted: NewImport, urls: string[]): Promise<Import> {
    return this.take(wanted, () => inSlices(urls));
  }

  async ofOpml(wanted: NewImport, opml: string): Promise<Import> {
    const listed = await this.feedLists.readOpml(opml, MAX_OUTLINES);
    return this.take(wanted, () => fromOpml(listed));
  }

  async again(old: Import, only: 'failed' | undefined): Promise<Import> {
    const { userId, follow, full, fields, id } = old;
    if (old.status === 'running')
      throw new ApiError('conflict', `The import ${id} still runs: wait until it has ended, or cancel it.`);
    if (only && !old.feeds.failed) throw new ApiError('conflict', `No feed of the import ${id} has failed.`);
    return this.take({ userId, follow, full, fields, rerunOf: id }, (db) => this.contents.entered(db, id, only));
  }

  /** Long lists take a while, so other requests are served between slices. */
  private async take(wanted: NewImport, slices: (db: Db) => Slices): Promise<Import> {
    const checked = new CheckedFeeds((address) => this.feedLists.identify(address));
    const id = await this.database.transaction(async (db) => {
      const id = await this.store.insert(db, wanted);
      for await (const slice of slices(db)) {
        await this.store.insertFeeds(db, id, checked.take(slice));
        await setImmediate();
      }
      checked.requireUsable();
      await this.store.noteDuplicates(db, id, checked.duplicates);
      return id;
    });
    await this.scheduler.enqueueNew(id);
    const stored = await this.store.load(id);
    if (!stored) throw new Error('A new import is missing');
    return stored;
  }
}

function* inSlices(urls: string[]): Generator<EnteredFeed[]> {
  for (let at = 0; at < urls.length; at += BATCH_SIZE) yield urls.slice(at, at + BATCH_SIZE).map((url) => ({ url }));
}

function* fromOpml(slices: Iterable<OpmlFeed[]>): Generator<EnteredFeed[]> {
  let feeds = 0;
  for (const slice of slices) {
    feeds += slice.length;
    if (feeds > MAX_FEEDS)
      throw new ApiError('invalid_opml', `It lists more than ${MAX_FEEDS} feeds. Send it in parts.`);
    yield slice.map(({ xmlUrl, title, folder }) => ({ url: xmlUrl, title, folder }));
  }
  if (!feeds) throw new ApiError('invalid_opml', 'It lists no feeds.');
}

const MAX_NAMED = 100;

/** Checks the feeds of one request in batches: keeps each source once, and records a reason for unusable ones. */
class CheckedFeeds {
  duplicates = 0;
  private given = 0;
  private usable = 0;
  private readonly seen = new Set<string>();
  private readonly refused: FieldError[] = [];

  constructor(private readonly identify: (address: string) => SourceIdentity | { reason: string }) {}

  take(feeds: EnteredFeed[]): NewFeed[] {
    return feeds.flatMap((feed) => this.takeOne(feed) ?? []);
  }

  /** Unusable feeds are stored beside usable ones. A request with unusable feeds only is rejected. */
  requireUsable(): void {
    if (this.usable) return;
    const detail = `Not one of the ${this.given} feeds can be imported; see errors for the reasons.`;
    throw new ApiError('validation_failed', detail, { errors: this.refused });
  }

  private takeOne({ url, title = null, folder = null }: EnteredFeed): NewFeed | undefined {
    const at = this.given++;
    const source = this.identify(url.trim());
    const key = 'reason' in source ? url : keyOf(source);
    if (this.seen.has(key)) {
      this.duplicates += 1;
      return undefined;
    }
    this.seen.add(key);
    const given = { url: storableText(url).slice(0, MAX_EXTERNAL_ID_LENGTH).toWellFormed(), folder };
    if ('reason' in source) {
      if (this.refused.length < MAX_NAMED) this.refused.push({ path: `feeds.${at}`, message: source.reason });
      return { ...given, title, type: null, externalId: null, error: source.reason };
    }
    this.usable += 1;
    const { type, externalId } = source;
    return { ...given, title: title === externalId ? null : title, type, externalId, error: null };
  }
}
