import { createHash } from 'node:crypto';
import { type ReadPage, type StagedItem, stagedItems } from '../items/staged-item.js';

/** Maximum number of archive pages, because an archive may never end. */
export const MAX_PAGES = 2_000;

/** A page as a fetcher returns it. */
export interface CollectedPage extends ReadPage {
  nextCursor?: string | undefined;
}

interface CollectInput<Page extends CollectedPage> {
  /** Position at which an earlier run stopped; null for the feed itself. */
  cursor: string | null;
  /** Hashes of archive pages that were fetched before. */
  pages: string[];
  /** Returns undefined if the page must not be requested now. Fails as fetchers do. */
  fetchPage(cursor: string | undefined): Promise<Page | undefined>;
  /** Returns whether to continue with the next page after this many items. */
  shouldContinue(items: number): boolean;
}

export interface Collected<Page> {
  /** The feed itself, if this run started there. */
  first: Page | undefined;
  items: StagedItem[];
  /** Position to continue from, if there is more. */
  cursor: string | null;
  pages: string[];
  /** Reason why the archive was not read to its end. */
  leftBecause: string | null;
}

/**
 * Reads page by page into the archive. Items from before a failed page are kept, and the next run starts with that
 * page.
 */
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
    if (next === undefined || pages.includes(markOf(next)))
      return { first, items, cursor: null, pages, leftBecause: null };
    if (pages.length >= MAX_PAGES) {
      const leftBecause = `its archive was left after ${MAX_PAGES} pages`;
      return { first, items, cursor: null, pages, leftBecause };
    }
    pages.push(markOf(next));
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

const markOf = (cursor: string) => createHash('sha256').update(cursor).digest('hex').slice(0, 12);
