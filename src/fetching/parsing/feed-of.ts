import { type FeedDocument, FetchFailure, type ParsedFeed } from '../fetcher.js';
import { innerBase } from './addresses.js';
import type { FeedText, ReadChannel } from './channel.js';
import { fieldReader } from './fields/field-reader.js';
import { postsOf } from './posts-of.js';
import { splitFeed } from './split/split-feed.js';
import { standAlone } from './split/stand-alone.js';
import { cleanText } from './text/clean-text.js';
import { decodeFeed } from './text/decode-feed.js';

export function textOf({ body, contentType, contentLocation, url, fields }: FeedDocument): FeedText {
  const decoded = decodeFeed(body, contentType);
  const text = cleanText(decoded);
  return { text, isClean: text === decoded, base: innerBase(url, contentLocation), raw: fields !== undefined };
}

/** A feed that has items but no posts fails, so that it is not mistaken for an empty feed. */
export function feedOf(read: ReadChannel, document: FeedDocument): ParsedFeed {
  const { fields } = document;
  const { items, author, ...channel } = read.channel;
  const found = postsOf(read.channel, fields && fieldReader(fields));
  if (found.posts.length === 0 && (!read.isWhole || items.length > 0)) {
    const reason = items.length > 0 ? 'its items are empty' : 'it is damaged, and no item was found in it';
    throw new FetchFailure('INVALID_CONTENT', `the feed could not be read: ${reason}`);
  }
  const feed: ParsedFeed = { ...channel, ...found };
  return document.judgeItems ? { ...feed, itemsStandAlone: canBeReadApart(feed, document, read) } : feed;
}

/** The tags must match what was parsed: one post per item, whose id depends on that item alone. */
function canBeReadApart(
  { posts, unreadable, repeated, idsDepend }: ParsedFeed,
  document: FeedDocument,
  { isPlain }: ReadChannel,
): boolean {
  if (unreadable || repeated || idsDepend) return false;
  const split = splitFeed(document);
  if (split?.items.length !== posts.length) return false;
  return isPlain || standAlone(split);
}
