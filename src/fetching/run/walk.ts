import type { FoundPost } from '../../posts/post.js';
import type { Gap } from '../../sources/fetch-states.table.js';
import type { FetchedPage, FetchFailure, FetchResult } from '../fetcher.js';
import { failureOf, isUnasked } from './fetch-failure.js';

/**
 * So many known posts in a row mean that the walk has arrived at what it knows. One would do if sources kept their
 * order; pinned, bumped and edited posts show up above new ones.
 */
const ENOUGH_KNOWN = 5;
const MAX_GAPS = 10;

interface WalkInput {
  /** Ids of posts that are stored, by external id. */
  known(externalIds: string[]): Promise<Map<string, string>>;
  fetchPage(cursor?: string): Promise<FetchResult>;
  /** Posts up to this id were stored before; null on the first fetch, whose older posts are history and no gap. */
  floor: string | null;
  gaps: Gap[];
  /** From the top, and as many again in the gaps. */
  mostPages: number;
}

export interface Walk {
  first: FetchResult;
  /** The source's own; none where another one has answered in its place. */
  posts: FoundPost[];
  /** What is still to be walked. */
  gaps: Gap[];
  /** Why the walk ended early. What was found before holds. */
  trouble?: FetchFailure | undefined;
}

/**
 * Finds what is new, newest first: from the top down to what is known, then on in the gaps that earlier walks left. A gap
 * ends at posts that were stored before it opened: those above it are known as well, but lie on the wrong side.
 */
export async function walk(input: WalkInput): Promise<Walk> {
  const first = await input.fetchPage();
  const steps = new Steps(input, first);
  const hasOwn = !('unchanged' in first) && first.servedBy === undefined;
  const head = hasOwn && input.floor !== null ? await steps.follow(first, input.floor) : undefined;
  const gaps = head ? [head] : [];
  steps.beginGaps();
  for (const gap of input.gaps) {
    const left = await steps.goOn(gap);
    if (left) gaps.push(left);
  }
  return { first, posts: steps.posts, gaps: few(gaps), trouble: steps.trouble };
}

/** Many gaps become one that spans them all: some known posts are walked over again, and none is lost. */
function few(gaps: Gap[]): Gap[] {
  const [newest, oldest] = [gaps[0], gaps.at(-1)];
  return newest && oldest && gaps.length > MAX_GAPS ? [{ cursor: newest.cursor, floor: oldest.floor }] : gaps;
}

/** The pages of one walk. */
class Steps {
  readonly posts: FoundPost[] = [];
  trouble: FetchFailure | undefined;
  /** Others use the source's host, or its worker has gone. That was all for this time, and no trouble with the source. */
  private unasked = false;
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

  /** Goes down from a page until it meets posts up to `floor`. Returns what could not be walked this time. */
  async follow(from: FetchedPage, floor: string): Promise<Gap | undefined> {
    let page: FetchedPage | undefined = from;
    let inARow = 0;
    while (page) {
      const cursor: string | undefined = page.nextCursor;
      if (cursor === undefined) return undefined;
      inARow = await this.knownInARow(page.posts, floor, inARow);
      if (inARow >= ENOUGH_KNOWN) return undefined;
      page = await this.next(cursor);
      if (!page) return { cursor, floor };
      if (page.nextCursor === cursor) return undefined;
    }
    return undefined;
  }

  async goOn(gap: Gap): Promise<Gap | undefined> {
    this.passed.clear();
    const page = await this.next(gap.cursor);
    if (page) return this.follow(page, gap.floor);
    // A cursor that the source no longer takes is given up for a new walk from the top down to the same floor.
    const refused = this.trouble?.code === 'INVALID_COMMAND' && this.top !== undefined;
    return refused && this.top ? { cursor: this.top, floor: gap.floor } : gap;
  }

  private async next(cursor: string): Promise<FetchedPage | undefined> {
    if (this.unasked || this.trouble || this.pages >= this.input.mostPages) return undefined;
    this.pages += 1;
    try {
      const page = await this.input.fetchPage(cursor);
      if ('unchanged' in page) return { posts: [] };
      this.posts.push(...page.posts);
      return page;
    } catch (error) {
      this.unasked = isUnasked(error);
      this.trouble = failureOf(error);
      if (!this.unasked && !this.trouble) throw error;
      return undefined;
    }
  }

  private async knownInARow(posts: FoundPost[], floor: string, before: number): Promise<number> {
    const ids = posts.map(({ externalId }) => externalId);
    const known = ids.length ? await this.input.known(ids) : new Map<string, string>();
    let inARow = before;
    for (const externalId of ids) {
      if (inARow >= ENOUGH_KNOWN) break;
      // New posts push others down, onto the next page and before our eyes again.
      if (this.passed.has(externalId)) continue;
      this.passed.add(externalId);
      const id = known.get(externalId);
      inARow = id !== undefined && BigInt(id) <= BigInt(floor) ? inARow + 1 : 0;
    }
    return inARow;
  }
}
