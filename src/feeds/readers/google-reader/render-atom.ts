import { generateAtomFeed } from 'feedsmith';
import { xmlHtml, xmlText, xmlTitle } from '../../render-feeds.js';
import type { ReaderItem } from '../core/reader-items.js';
import { longId } from './item-id.js';
import { originOf } from './to-item.js';

const SCHEME = 'http://www.google.com/reader/';

interface RenderedStream {
  id: string;
  title: string;
  updated: Date;
  items: ReaderItem[];
}

export function renderStream({ id, title, updated, items }: RenderedStream): string {
  return generateAtomFeed({
    id: xmlText(`tag:google.com,2005:reader/${id}`),
    title: { value: xmlTitle(title) },
    updated,
    entries: items.map(toEntry),
  });
}

/** newsboat reads the state of an item from the labels `read` and `fresh`. */
function toEntry(item: ReaderItem) {
  const { itemId, url, title, content, author, media, publishedAt, read, starred } = item;
  const origin = originOf(item);
  const states = [read ? 'read' : 'fresh', 'reading-list', ...(starred ? ['starred'] : [])];
  return {
    id: longId(itemId),
    title: { value: xmlTitle(title ?? '') },
    links: [
      ...(url === null ? [] : [{ href: xmlText(url), rel: 'alternate', type: 'text/html' }]),
      ...media.map(({ url, type = 'application/octet-stream' }) => ({ href: xmlText(url), rel: 'enclosure', type })),
    ],
    published: publishedAt,
    updated: publishedAt,
    authors: [{ name: xmlTitle(author.displayName || author.username || origin.title) }],
    content: { value: xmlHtml(content), type: 'html' },
    categories: states.map((label) => ({ term: `user/-/state/com.google/${label}`, scheme: SCHEME, label })),
    source: { id: origin.streamId, title: { value: xmlTitle(origin.title) } },
  };
}
