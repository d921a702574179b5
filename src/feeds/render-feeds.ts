import { generateAtomFeed, generateRssFeed } from 'feedsmith';
import type { FeedItem } from '../posts/feed-item.js';
import {
  attachmentsOf,
  authorOf,
  idOf,
  newestOf,
  type RenderedTimeline,
  TITLE,
  titleOf,
  xmlHtml,
  xmlText,
  xmlTitle,
} from './rendered-timeline.js';

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
    items: items.map(toItem),
  });
}

function toItem(item: FeedItem) {
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
