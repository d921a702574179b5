import type { FeedDocument } from '../../fetcher.js';
import { contextDigest } from './item-digests.js';
import type { SplitFeed } from './split-feed.js';

/** Times at which the feed was made. They change with every answer of many a server, and no item is read by them. */
const TIMES = /(<((?:[\w.-]{1,99}:)?(?:lastBuildDate|pubDate|updated|modified|date))>)[^<>=]*(?=<\/\2>)/gi;
const REMARKS = /<!--[^<>=]*-->/g;

/** Of all that an item's meaning depends on beside itself: what is around the items, where it is from and how it was sent. */
export function feedContext({ text, items }: SplitFeed, { url, contentType, contentLocation }: FeedDocument): string {
  const head = text.slice(0, items[0]?.start).trimEnd();
  const tail = text.slice(items.at(-1)?.end).trimStart();
  const around = [head, tail].map((part) => part.replace(TIMES, '$1').replace(REMARKS, ''));
  return contextDigest([...around, url, contentType ?? '', contentLocation ?? '']);
}
