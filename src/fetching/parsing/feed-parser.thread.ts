import { serveThread } from '../../platform/threads/serve-thread.js';
import { type FeedDocument, FetchFailure, type ParsedFeed } from '../fetcher.js';
import { parseFeedDocument } from './parse-feed.js';
import { splitFeed } from './split/split-feed.js';
import { standAlone } from './split/stand-alone.js';

/** A refusal is returned as a value, because errors lose their class when they leave the thread. */
export type ParseResult = { feed: ParsedFeed } | { refusal: string };

serveThread((document: FeedDocument): ParseResult => {
  try {
    return { feed: parseAndJudge(document) };
  } catch (error) {
    if (error instanceof FetchFailure) return { refusal: error.message };
    throw error;
  }
});

/** Parses a feed and, if requested, checks whether its items can be parsed separately. */
export function parseAndJudge(document: FeedDocument): ParsedFeed {
  const feed = parseFeedDocument(document);
  return document.judgeItems ? { ...feed, itemsStandAlone: canBeReadApart(document, feed) } : feed;
}

/** Items found by their tags must match what was parsed: one post per item, whose id depends on that item alone. */
function canBeReadApart(document: FeedDocument, { posts, unreadable, repeated, idsDepend }: ParsedFeed): boolean {
  if (unreadable || repeated || idsDepend) return false;
  const split = splitFeed(document);
  return split !== undefined && split.items.length === posts.length && standAlone(split);
}
