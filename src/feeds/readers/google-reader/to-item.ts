import type { ReaderItem } from '../core/reader-items.js';
import { longId } from './item-id.js';
import { feedStream, labelStream, READ, READING_LIST, STARRED } from './stream-id.js';

/** Numbers and text are as in the first reader of this API, because clients parse one or the other. */
export function toItem(item: ReaderItem) {
  const { itemId, url, title, content, author, media, publishedAt, foundAt } = item;
  const links = url === null ? [] : [{ href: url }];
  return {
    id: longId(itemId),
    title: title ?? '',
    published: Math.floor(publishedAt.getTime() / 1_000),
    updated: Math.floor(publishedAt.getTime() / 1_000),
    crawlTimeMsec: String(foundAt.getTime()),
    timestampUsec: String(foundAt.getTime() * 1_000),
    canonical: links,
    alternate: links.map(({ href }) => ({ href, type: 'text/html' })),
    summary: { content },
    author: author.displayName || author.username,
    categories: categoriesOf(item),
    origin: originOf(item),
    ...(media.length && {
      // The length is not known, and some clients need one.
      enclosure: media.map(({ url, type = 'application/octet-stream' }) => ({ href: url, type, length: 0 })),
    }),
  };
}

function categoriesOf({ folder, read, starred }: ReaderItem): string[] {
  return [
    READING_LIST,
    ...(read ? [READ] : []),
    ...(starred ? [STARRED] : []),
    ...(folder === null ? [] : [labelStream(folder)]),
  ];
}

export const originOf = ({ sourceId, sourceTitle, sourceExternalId, sourceSiteUrl }: ReaderItem) => ({
  streamId: feedStream(sourceId),
  title: sourceTitle ?? sourceExternalId,
  htmlUrl: sourceSiteUrl ?? '',
});
