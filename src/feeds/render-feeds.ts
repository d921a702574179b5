import { generateAtomFeed, generateJsonFeed, generateRssFeed } from 'feedsmith';
import type { FeedItem } from '../posts/feed-item.js';

export interface RenderedTimeline {
  items: FeedItem[];
  address: string;
  url: string;
}

const TITLE = 'Millrace';

export function renderAtom({ items, address, url }: RenderedTimeline): string {
  return generateAtomFeed({
    id: url,
    title: { value: TITLE },
    updated: newestOf(items),
    links: [
      { href: url, rel: 'self', type: 'application/atom+xml' },
      { href: address, rel: 'alternate' },
    ],
    entries: items.map(toEntry),
  });
}

function toEntry(item: FeedItem) {
  const { url, content, publishedAt, source } = item;
  return {
    id: idOf(item),
    title: { value: xmlTitle(titleOf(item)) },
    links: [
      ...(url === null ? [] : [{ href: xmlText(url), rel: 'alternate' }]),
      ...attachmentsOf(item).map(({ url, type }) => ({ href: xmlText(url), type, rel: 'enclosure' })),
    ],
    published: new Date(publishedAt),
    updated: new Date(publishedAt),
    authors: [{ name: xmlTitle(authorOf(item)) }],
    content: { value: xmlHtml(content), type: 'html' },
    ...(source.title !== null && { source: { title: { value: xmlTitle(source.title) } } }),
  };
}

export function renderRss({ items, address, url }: RenderedTimeline): string {
  return generateRssFeed({
    title: TITLE,
    link: address,
    description: 'What you follow, newest first',
    lastBuildDate: newestOf(items),
    atom: { links: [{ href: url, rel: 'self', type: 'application/rss+xml' }] },
    items: items.map(toRssItem),
  });
}

function toRssItem(item: FeedItem) {
  const { url, content, publishedAt, source } = item;
  return {
    title: xmlTitle(titleOf(item)),
    ...(url !== null && { link: xmlText(url) }),
    guid: { value: idOf(item), isPermaLink: false },
    pubDate: new Date(publishedAt),
    description: xmlHtml(content),
    // The length is required but not known.
    enclosures: attachmentsOf(item).map(({ url, type }) => ({ url: xmlText(url), type, length: 0 })),
    dc: { creators: [xmlTitle(authorOf(item))] },
    ...(source.title !== null && { categories: [{ name: xmlTitle(source.title) }] }),
  };
}

export function renderJsonFeed({ items, address, url }: RenderedTimeline): string {
  return JSON.stringify(
    generateJsonFeed({ title: TITLE, home_page_url: address, feed_url: url, items: items.map(toJsonItem) }),
  );
}

function toJsonItem(item: FeedItem) {
  const { title, url, content, publishedAt, author, source } = item;
  return {
    id: idOf(item),
    ...(url !== null && { url }),
    ...(title !== null && { title }),
    content_html: content,
    date_published: new Date(publishedAt),
    authors: [{ name: authorOf(item), ...(author.avatarUrl && { avatar: author.avatarUrl }) }],
    attachments: attachmentsOf(item).map(({ url, type }) => ({ url, mime_type: type })),
    ...(source.title !== null && { tags: [source.title] }),
  };
}

/** Stays the same as long as the post is stored, even if the URL of the server changes. */
const idOf = ({ id }: FeedItem) => `urn:millrace:post:${id}`;

const authorOf = ({ author, source }: FeedItem) => author.displayName || author.username || source.title || 'Unknown';

/** Some readers reject posts without a title. */
const titleOf = (item: FeedItem) => item.title || item.source.title || authorOf(item);

/** Depends on the items alone, so that the same items produce the same document. */
const newestOf = (items: FeedItem[]) => new Date(items[0]?.publishedAt ?? 0);

export function xmlText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
  return text.toWellFormed().replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '');
}

/** The replacement has the same meaning in HTML and is allowed in a CDATA section. */
export const xmlHtml = (html: string) => xmlText(html).replaceAll(']]>', ']]&gt;');

/** A reference would be visible in a title, so a space is inserted instead. */
export const xmlTitle = (text: string) => xmlText(text).replaceAll(']]>', ']] >');

/** Feed formats require a type, even if it is not known. */
const attachmentsOf = ({ media }: FeedItem) =>
  media.map(({ url, type = 'application/octet-stream' }) => ({ url, type }));
