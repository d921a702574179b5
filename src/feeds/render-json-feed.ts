import { generateJsonFeed } from 'feedsmith';
import type { FeedItem } from '../posts/feed-item.js';
import { attachmentsOf, authorOf, idOf, type RenderedTimeline, TITLE } from './rendered-timeline.js';

export function renderJsonFeed({ items, address, url }: RenderedTimeline): string {
  return JSON.stringify(
    generateJsonFeed({ title: TITLE, home_page_url: address, feed_url: url, items: items.map(toItem) }),
  );
}

function toItem(item: FeedItem) {
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
