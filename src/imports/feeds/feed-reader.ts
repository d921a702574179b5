import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FetchedPage } from '../../fetching/fetcher.js';
import { FetchPage } from '../../fetching/run/fetch-page.js';
import { SourceCatalogue } from '../../fetching/source-catalogue.js';
import { CONFIG, type Config } from '../../platform/config.js';
import { Clock } from '../../platform/time/clock.js';
import type { SourceIdentity } from '../../sources/sources.table.js';
import { type FieldMapping, pathsOf } from '../items/field-mapping.js';
import { type ReadPage, type StagedItem, stagedItems } from '../items/staged-item.js';
import type { ImportedFeed } from './imported-feeds.store.js';
import { type NextTry, nextTry } from './next-try.js';

interface PageOptions {
  fields: FieldMapping | null;
  signal: AbortSignal;
  cursor?: string | undefined;
  archive?: boolean;
  owner?: string;
}

/** Reads the feeds of imports, at most `MILLRACE_IMPORT_RATE` requests a second to each host. */
@Injectable()
export class FeedReader {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly pages: FetchPage,
    private readonly catalogue: SourceCatalogue,
    private readonly clock: Clock,
  ) {}

  /** Types that remote workers fetch are named by their type. */
  hostOf(source: SourceIdentity): string {
    return this.catalogue.hostOf(source) ?? source.type;
  }

  read(feed: ImportedFeed, signal: AbortSignal): Promise<Collected<FetchedPage>> {
    const flushAt = performance.now() + this.config.importFlushMs;
    const { fields, full, userId } = feed;
    return collectItems({
      cursor: feed.cursor,
      pages: feed.pages,
      fetchPage: async (cursor) => {
        const page = await this.fetchPage(feed, { fields, signal, cursor, archive: full, owner: userId });
        return full ? page : { ...page, nextCursor: undefined };
      },
      shouldContinue: (items) => items < this.config.importBatch && performance.now() < flushAt,
    });
  }

  /** Returns the items that a feed shows now, or none if another source answers in its place. */
  async readNewest(source: SourceIdentity, options: PageOptions): Promise<StagedItem[]> {
    const page = await this.fetchPage(source, options);
    return page.servedBy ? [] : stagedItems(page);
  }

  /** Returns undefined for internal errors. */
  nextTry(error: unknown, startedAt: Date | null): NextTry | undefined {
    const now = this.clock.now();
    return nextTry(error, { startedAt: startedAt ?? now, now });
  }

  private async fetchPage(source: SourceIdentity, { fields, ...options }: PageOptions): Promise<FetchedPage> {
    const paths = fields ? pathsOf(fields) : undefined;
    const request = { ...options, fields: paths, maxPerSecond: this.config.importRate };
    const page = await this.pages.fetch(source, request);
    if ('unchanged' in page) throw new Error('A source reported no change although no validators were sent');
    return page;
  }
}

/** An archive may never end. */
export const MAX_PAGES = 2_000;

export interface CollectedPage extends ReadPage {
  nextCursor?: string | undefined;
}

interface CollectInput<Page extends CollectedPage> {
  /** Position at which an earlier run stopped; null for the feed itself. */
  cursor: string | null;
  /** Hashes of archive pages that were fetched before. */
  pages: string[];
  fetchPage(cursor: string | undefined): Promise<Page>;
  shouldContinue(items: number): boolean;
}

export interface Collected<Page> {
  first: Page | undefined;
  items: StagedItem[];
  cursor: string | null;
  pages: string[];
  leftBecause: string | null;
}

/** Items from before a failed page are kept, and the next run starts with that page. */
export async function collectItems<Page extends CollectedPage>(input: CollectInput<Page>): Promise<Collected<Page>> {
  const items: StagedItem[] = [];
  const pages = [...input.pages];
  let cursor = input.cursor;
  let first: Page | undefined;
  do {
    const page = await fetchNext(input, cursor, items);
    if (!page) return { first, items, cursor, pages, leftBecause: null };
    if (cursor === null) first = page;
    items.push(...stagedItems(page));
    const next = page.nextCursor;
    if (next === undefined || pages.includes(hashOf(next)))
      return { first, items, cursor: null, pages, leftBecause: null };
    if (pages.length >= MAX_PAGES) {
      const leftBecause = `its archive was left after ${MAX_PAGES} pages`;
      return { first, items, cursor: null, pages, leftBecause };
    }
    pages.push(hashOf(next));
    cursor = next;
  } while (input.shouldContinue(items.length));
  return { first, items, cursor, pages, leftBecause: null };
}

async function fetchNext<Page extends CollectedPage>(
  { fetchPage }: CollectInput<Page>,
  cursor: string | null,
  items: StagedItem[],
): Promise<Page | undefined> {
  try {
    return await fetchPage(cursor ?? undefined);
  } catch (error) {
    if (items.length) return undefined;
    throw error;
  }
}

const hashOf = (cursor: string) => createHash('sha256').update(cursor).digest('hex').slice(0, 12);
