import type { FeedItem } from '../posts/feed-item.js';

export interface RenderedTimeline {
  items: FeedItem[];
  /** Base URL of this server. */
  address: string;
  /** URL of the feed itself. */
  url: string;
}

export const TITLE = 'Millrace';

/** Stays the same as long as the post is stored, even if the URL of the server changes. */
export const idOf = ({ id }: FeedItem) => `urn:millrace:post:${id}`;

export const authorOf = ({ author, source }: FeedItem) =>
  author.displayName || author.username || source.title || 'Unknown';

/** Some readers reject posts without a title. */
export const titleOf = (item: FeedItem) => item.title || item.source.title || authorOf(item);

/** Depends on the items alone, so that the same items produce the same document. */
export const newestOf = (items: FeedItem[]) => new Date(items[0]?.publishedAt ?? 0);

/** Removes characters that XML 1.0 cannot represent. */
export function xmlText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
  return text.toWellFormed().replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '');
}

/** The replacement has the same meaning in HTML and is allowed in a CDATA section. */
export const xmlHtml = (html: string) => xmlText(html).replaceAll(']]>', ']]&gt;');

/** A reference would be visible in a title, so a space is inserted instead. */
export const xmlTitle = (text: string) => xmlText(text).replaceAll(']]>', ']] >');

/**
 * Returns the attachments of a post, such as a podcast episode. Feed formats require a type, even if it is not known.
 */
export const attachmentsOf = ({ media }: FeedItem) =>
  media.map(({ url, type = 'application/octet-stream' }) => ({ url, type }));
