import { serveThread } from '../../platform/threads/serve-thread.js';
import { type FeedDocument, FetchFailure, type ParsedFeed } from '../fetcher.js';
import { parseFeedDocument } from './parse-feed.js';
import { splitFeed } from './split/split-feed.js';
import { standAlone } from './split/stand-alone.js';

/** A refusal is an answer: of an error only the plain parts would leave the thread. */
export type Reading = { feed: ParsedFeed } | { refusal: string };

serveThread((document: FeedDocument): Reading => {
  try {
    return { feed: parseAndJudge(document) };
  } catch (error) {
    if (error instanceof FetchFailure) return { refusal: error.message };
    throw error;
  }
});

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
