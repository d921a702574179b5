import { serveThread } from '../../platform/threads/serve-thread.js';
import { type FeedDocument, FetchFailure, type ParsedFeed } from '../fetcher.js';
import { parseFeed } from './parse-feed.js';

/** A refusal is returned as a value, because errors lose their class when they leave the thread. */
export type ParseResult = { feed: ParsedFeed } | { refusal: string };

serveThread((document: FeedDocument): ParseResult => {
  try {
    return { feed: parseFeed(document) };
  } catch (error) {
    if (error instanceof FetchFailure) return { refusal: error.message };
    throw error;
  }
});
