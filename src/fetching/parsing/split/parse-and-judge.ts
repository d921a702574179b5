import type { FeedDocument, ParsedFeed } from '../../fetcher.js';
import { parseFeedDocument } from '../parse-feed.js';
import { splitFeed } from './split-feed.js';
import { standAlone } from './stand-alone.js';

/** Reads a feed and, if that is wanted, finds out whether its items can be read one without the other. */
export function parseAndJudge(document: FeedDocument): ParsedFeed {
  const feed = parseFeedDocument(document);
  return document.judgeItems ? { ...feed, itemsStandAlone: canBeReadApart(document, feed) } : feed;
}

/** What is found by the tags must also be what was read: a post for each item, whose id follows from that item. */
function canBeReadApart(document: FeedDocument, { posts, unreadable, repeated, idsDepend }: ParsedFeed): boolean {
  if (unreadable || repeated || idsDepend) return false;
  const split = splitFeed(document);
  return split !== undefined && split.items.length === posts.length && standAlone(split);
}
