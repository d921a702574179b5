import { createHash } from 'node:crypto';
import { type ReadPage, type StagedItem, stagedItems } from '../items/staged-item.js';

/** An archive that leads on and on is left after so many pages. */
export const MAX_PAGES = 2_000;

/** A page as a fetcher brings it. */
export interface CollectedPage extends ReadPage {
  nextCursor?: string | undefined;
}

interface CollectInput<Page extends CollectedPage> {
  /** Where an earlier run left off; null for the feed itself. */
  cursor: string | null;
  /** Marks of the archive's pages that were fetched before. */
  pages: string[];
  /** Undefined if it is not to be asked just now. Fails as fetchers do. */
  fetchPage(cursor: string | undefined): Promise<Page | undefined>;
  /** Whether to go on to the next page with so many items in hand. */
  goOn(items: number): boolean;
}

export interface Collected<Page> {
  /** The feed itself, if this run began there. */
  first: Page | undefined;
  items: StagedItem[];
  /** Where to go on, if there is more. */
  cursor: string | null;
  pages: string[];
  /** Why the archive was left before its end. */
  leftBecause: string | null;
}

/** Goes from page to page into the archive. What came before a page that fails is kept: the next run begins with that page. */
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
  } while (input.goOn(items.length));
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
