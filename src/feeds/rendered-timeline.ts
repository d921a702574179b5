import type { FeedItem } from '../posts/feed-item.js';

export interface RenderedTimeline {
  items: FeedItem[];
  /** Of this server. */
  address: string;
  /** Of the feed itself. */
  url: string;
}

export const TITLE = 'Millrace';

/** The same for as long as the post is kept, whatever becomes of the address of this server. */
export const idOf = ({ id }: FeedItem) => `urn:millrace:post:${id}`;

export const authorOf = ({ author, source }: FeedItem) =>
  author.displayName || author.username || source.title || 'Unknown';

/** Feeds of other readers may not hold posts without a title. */
export const titleOf = (item: FeedItem) => item.title || item.source.title || authorOf(item);

/** Beyond the items only what they say: the same items make the same document. */
export const newestOf = (items: FeedItem[]) => new Date(items[0]?.publishedAt ?? 0);

/** Characters that XML 1.0 cannot hold in any way are left out. */
export function xmlText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
  return text.toWellFormed().replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '');
}

/** The same in HTML, and can stand in a CDATA section. */
export const xmlHtml = (html: string) => xmlText(html).replaceAll(']]>', ']]&gt;');

/** In a title the same would be seen, so a space keeps the section open. */
export const xmlTitle = (text: string) => xmlText(text).replaceAll(']]>', ']] >');

/** What a post brings along, such as the sound of a podcast. Formats want a type, known or not. */
export const attachmentsOf = ({ media }: FeedItem) =>
  media.map(({ url, type = 'application/octet-stream' }) => ({ url, type }));
