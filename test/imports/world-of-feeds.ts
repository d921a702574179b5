import type { FeedItem, FeedSite } from '../harness/feed-site.js';
import { seededRandom } from '../program/seeded-random.js';
import { paragraphs, words } from './made-text.js';

export interface WorldSize {
  feeds: number;
  /** Number of items of each feed. */
  items: number;
}

const MINUTE_MS = 60_000;

/** Feeds of one site, full of items that are the same in every run, except that the newest one is from today. */
export class WorldOfFeeds {
  readonly urls: string[];
  readonly itemCount: number;
  private readonly newest = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

  constructor(
    private readonly site: FeedSite,
    private readonly size: WorldSize,
  ) {
    this.itemCount = size.feeds * size.items;
    site.window = Math.max(site.window, size.items);
    this.urls = Array.from({ length: size.feeds }, (_, feed) => site.url(pathOf(feed)));
    for (let feed = 0; feed < size.feeds; feed++) this.show(feed, () => false);
  }

  /** Rewrites every tenth item, beginning with the first one. Returns their number. */
  changeTenth(): number {
    let changed = 0;
    const isChanged = (number: number) => number % 10 === 0;
    for (let feed = 0; feed < this.size.feeds; feed++) changed += this.show(feed, isChanged);
    return changed;
  }

  /** Rendered in advance, so that serving it costs almost nothing. Returns the number of changed items. */
  private show(feed: number, isChanged: (number: number) => boolean): number {
    const numbers = Array.from({ length: this.size.items }, (_, item) => feed * this.size.items + item);
    const items = numbers.map((number) => this.item(feed, number));
    this.site.show(
      pathOf(feed),
      items.map((item, at) => (isChanged(numbers[at] ?? 0) ? corrected(item) : item)),
    );
    this.site.render(pathOf(feed));
    return numbers.filter(isChanged).length;
  }

  private item(feed: number, number: number): FeedItem {
    const random = seededRandom(number);
    return {
      guid: `https://site.example/feed-${feed}/item-${number}`,
      title: `${words(6, random)} ${number}`,
      content: paragraphs(random),
      author: words(2, random),
      publishedAt: new Date(this.newest - number * MINUTE_MS),
    };
  }
}

const pathOf = (feed: number) => `/feed-${feed}`;
const corrected = (item: FeedItem): FeedItem => ({ ...item, content: `${item.content}<p>Corrected.</p>` });
