import { type FeedDocument, FetchFailure } from '../../src/fetching/fetcher.js';
import { readFeed } from '../../src/fetching/parsing/parse-feed.js';
import { serveThread } from '../../src/platform/threads/serve-thread.js';
import { type CorpusReading, corpusReading } from './corpus-result.js';

/** A refusal is returned as an answer, because an error loses its class when it leaves the thread. */
export type CorpusAnswer = CorpusReading | { refusal: string };

serveThread((document: FeedDocument): CorpusAnswer => {
  try {
    return corpusReading(readFeed(document));
  } catch (error) {
    if (error instanceof FetchFailure) return { refusal: error.message };
    throw error;
  }
});
