import type { FetchResult } from '../../src/fetching/fetcher.js';
import type { FoundPost } from '../../src/posts/post.js';

interface Entry {
  externalId: string;
  /** Position in the list. The newest post has the highest one. */
  rank: number;
  edition: number;
}

export type Paging = 'by place' | 'by count';

/** A source that changes while it is read: it adds, pins, edits and deletes posts. */
export class ChangingSource {
  requests = 0;
  private entries: Entry[] = [];
  private made = 0;
  private ranks = 0;

  constructor(
    private readonly random: () => number,
    private readonly pageSize: number,
    /** A cursor names the position of the last post, or the number of posts before it, which deletions change. */
    private readonly paging: Paging,
  ) {}

  get externalIds(): string[] {
    return this.entries.map(({ externalId }) => externalId);
  }

  post(count = 1): void {
    for (let i = 0; i < count; i++) {
      this.made += 1;
      this.entries.unshift({ externalId: `p${this.made}`, rank: this.nextRank(), edition: 1 });
    }
  }

  bump(): void {
    const entry = this.any();
    if (!entry) return;
    entry.rank = this.nextRank();
    this.entries.sort((a, b) => b.rank - a.rank);
  }

  edit(): void {
    const entry = this.any();
    if (entry) entry.edition += 1;
  }

  delete(): void {
    const entry = this.any();
    if (entry) this.entries = this.entries.filter((one) => one !== entry);
  }

  page(cursor?: string): FetchResult {
    this.requests += 1;
    const from = cursor === undefined ? 0 : this.placeOf(Number(cursor));
    const shown = this.entries.slice(from, from + this.pageSize);
    const last = shown.at(-1);
    const more = from + this.pageSize < this.entries.length;
    const next = this.paging === 'by count' ? from + this.pageSize : last?.rank;
    return { posts: shown.map(toPost), nextCursor: more ? String(next) : undefined };
  }

  private placeOf(cursor: number): number {
    if (this.paging === 'by count') return cursor;
    const place = this.entries.findIndex(({ rank }) => rank < cursor);
    return place === -1 ? this.entries.length : place;
  }

  private any(): Entry | undefined {
    return this.entries[Math.floor(this.random() * this.entries.length)];
  }

  private nextRank(): number {
    this.ranks += 1;
    return this.ranks;
  }
}

const contentOf = ({ externalId, edition }: Entry) => `${externalId} edition ${edition}`;

function toPost(entry: Entry): FoundPost {
  const author = { username: 'u', displayName: 'U' };
  return { externalId: entry.externalId, content: contentOf(entry), author, media: [] };
}
