import { serveThread } from '../../platform/threads/serve-thread.js';
import { type FeedDocument, FetchFailure, type ParsedFeed } from '../fetcher.js';
import { parseFeedDocument } from './parse-feed.js';

/** A refusal is an answer: of an error only the plain parts would leave the thread. */
export type Reading = { feed: ParsedFeed } | { refusal: string };

serveThread((document: FeedDocument): Reading => {
  try {
    return { feed: parseFeedDocument(document) };
  } catch (error) {
    if (error instanceof FetchFailure) return { refusal: error.message };
    throw error;
  }
});
