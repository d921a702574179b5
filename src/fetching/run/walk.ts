import type { FoundPost } from '../../posts/post.js';
import type { Gap } from '../../sources/fetch-states.table.js';
import type { FetchedPage, FetchFailure, FetchResult } from '../fetcher.js';
import { failureOf, noRequestSent } from './fetch-failure.js';

/** One known post would do if sources kept their order, but pinned, bumped and edited posts appear above new ones. */
const KNOWN_POSTS_TO_STOP = 5;
const MAX_GAPS = 10;

interface WalkInput {
  known(externalIds: string[]): Promise<Map<string, string>>;
  fetchPage(cursor?: string): Promise<FetchResult>;
  /** Posts up to this id were stored before. Null on the first fetch, whose older posts are history and not a gap. */
  floor: string | null;
  gaps: Gap[];
  maxPages: number;
}

export interface Walk {
  first: FetchResult;
  /** Posts of the source itself; empty if another source answered in its place. */
  posts: FoundPost[];
  gaps: Gap[];
  /** Error that ended the walk early. The posts found before it are valid. */
  error?: FetchFailure | undefined;
}

/** Gaps that earlier walks left end at posts stored before they opened; posts above a gap say nothing about it. */
export async function walk(input: WalkInput): Promise<Walk> {
  const first = await input.fetchPage();
  const walker = new PageWalker(input, first);
  const hasOwn = !('unchanged' in first) && first.servedBy === undefined;
  const head = hasOwn && input.floor !== null ? await walker.follow(first, input.floor) : undefined;
  const gaps = head ? [head] : [];
  walker.beginGaps();
  for (const gap of input.gaps) {
    const left = await walker.resume(gap);
    if (left) gaps.push(left);
  }
  return { first, posts: walker.posts, gaps: mergeGaps(gaps), error: walker.error };
}

/** Merges too many gaps into one that spans them all. Some known posts are walked over again, but none is lost. */
function mergeGaps(gaps: Gap[]): Gap[] {
  const [newest, oldest] = [gaps[0], gaps.at(-1)];
  return newest && oldest && gaps.length > MAX_GAPS ? [{ cursor: newest.cursor, floor: oldest.floor }] : gaps;
}

class PageWalker {
  readonly posts: FoundPost[] = [];
  error: FetchFailure | undefined;
  /** The host was busy or its worker had gone. This ends the walk without counting as an error of the source. */
  private requestBlocked = false;
  private pages = 1;
  private readonly passed = new Set<string>();
  private readonly top: string | undefined;

  constructor(
    private readonly input: WalkInput,
    first: FetchResult,
  ) {
    if ('unchanged' in first || first.servedBy !== undefined) return;
    this.posts.push(...first.posts);
    this.top = first.nextCursor;
  }

  beginGaps(): void {
    this.pages = 0;
  }

  async follow(from: FetchedPage, floor: string): Promise<Gap | undefined> {
    let page: FetchedPage | undefined = from;
    let knownCount = 0;
    while (page) {
      const cursor: string | undefined = page.nextCursor;
      if (cursor === undefined) return undefined;
      knownCount = await this.countKnownInARow(page.posts, floor, knownCount);
      if (knownCount >= KNOWN_POSTS_TO_STOP) return undefined;
      page = await this.next(cursor);
      if (!page) return { cursor, floor };
      if (page.nextCursor === cursor) return undefined;
    }
    return undefined;
  }

  async resume(gap: Gap): Promise<Gap | undefined> {
    this.passed.clear();
    const page = await this.next(gap.cursor);
    if (page) return this.follow(page, gap.floor);
    // If the source rejects the cursor, the gap is walked again from the top down to the same floor.
    const refused = this.error?.code === 'INVALID_COMMAND' && this.top !== undefined;
    return refused && this.top ? { cursor: this.top, floor: gap.floor } : gap;
  }

  private async next(cursor: string): Promise<FetchedPage | undefined> {
    if (this.requestBlocked || this.error || this.pages >= this.input.maxPages) return undefined;
    this.pages += 1;
    try {
      const page = await this.input.fetchPage(cursor);
      if ('unchanged' in page) return { posts: [] };
      this.posts.push(...page.posts);
      return page;
    } catch (error) {
      this.requestBlocked = noRequestSent(error);
      this.error = failureOf(error);
      if (!this.requestBlocked && !this.error) throw error;
      return undefined;
    }
  }

  private async countKnownInARow(posts: FoundPost[], floor: string, before: number): Promise<number> {
    const ids = posts.map(({ externalId }) => externalId);
    const known = ids.length ? await this.input.known(ids) : new Map<string, string>();
    let knownCount = before;
    for (const externalId of ids) {
      if (knownCount >= KNOWN_POSTS_TO_STOP) break;
      // New posts push others down onto the next page, where they appear a second time.
      if (this.passed.has(externalId)) continue;
      this.passed.add(externalId);
      const id = known.get(externalId);
      knownCount = id !== undefined && BigInt(id) <= BigInt(floor) ? knownCount + 1 : 0;
    }
    return knownCount;
  }
}
