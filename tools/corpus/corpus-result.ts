import type { Channel, Item } from '../../src/fetching/parsing/channel.js';
import { firstDate } from '../../src/fetching/parsing/dates/first-date.js';
import type { SafeHtml } from '../../src/posts/safe-html.js';
import type { UnsafeHtml } from '../../src/posts/safe-html.thread.js';

/** Stands for the address of a document whose address is unknown. Links that are relative to it stay relative. */
export const NO_ADDRESS = 'https://no-address.invalid/here/';
const { origin: NO_ORIGIN } = new URL(NO_ADDRESS);

/** An item as it is in the document, even if it is empty or another item has the same id. */
interface ItemResult {
  id?: string | undefined;
  title?: string | undefined;
  url?: string | undefined;
  publishedAt?: string | undefined;
  author?: string | undefined;
  /** HTML, unsafe until it is sanitised. */
  content: string;
}

export interface FeedResult {
  feedTitle?: string | undefined;
  items: ItemResult[];
}

/** What was read from a document, and the HTML of its items that is not sanitised yet. */
export interface CorpusReading {
  result: FeedResult;
  unsafe: UnsafeHtml[];
}

export function corpusReading({ title, author, items }: Channel): CorpusReading {
  return {
    result: { feedTitle: title, items: items.map((item) => itemResult(item, author?.displayName)) },
    unsafe: items.map(({ content = '', contentBase }) => ({ html: content, base: known(contentBase) })),
  };
}

export function withSafeContent({ items, ...feed }: FeedResult, safe: SafeHtml[]): FeedResult {
  return { ...feed, items: items.map((item, at) => ({ ...item, content: safe[at]?.html ?? '' })) };
}

function itemResult({ id, title, url, dates, author, content = '' }: Item, feedAuthor: string | undefined): ItemResult {
  const publishedAt = firstDate(dates);
  return {
    id,
    title,
    url: url && withoutNoAddress(url),
    publishedAt: publishedAt?.toISOString(),
    author: author?.displayName ?? feedAuthor,
    content,
  };
}

function withoutNoAddress(url: string): string {
  if (url.startsWith(NO_ADDRESS)) return url.slice(NO_ADDRESS.length);
  return url.startsWith(`${NO_ORIGIN}/`) ? url.slice(NO_ORIGIN.length) : url;
}

function known(base: string): string | undefined {
  return base.startsWith(NO_ORIGIN) ? undefined : base;
}
