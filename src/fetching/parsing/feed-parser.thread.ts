import { serveThread } from '../../platform/threads/serve-thread.js';
import { type FeedDocument, FetchFailure, type ParsedFeed } from '../fetcher.js';
import { parseAndJudge } from './split/parse-and-judge.js';

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
