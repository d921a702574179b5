import { generateRssFeed } from 'feedsmith';
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
    // Nobody has told how long they are.
    enclosures: attachmentsOf(item).map(({ url, type }) => ({ url: xmlText(url), type, length: 0 })),
    dc: { creators: [xmlTitle(authorOf(item))] },
    ...(source.title !== null && { categories: [{ name: xmlTitle(source.title) }] }),
  };
}
