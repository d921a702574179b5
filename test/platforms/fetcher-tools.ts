import type { FetcherConfig, FetcherTools } from '../../src/fetching/fetcher.js';
import { parseFeedDocument } from '../../src/fetching/parsing/parse-feed.js';
import type { Database } from '../../src/platform/database/database.js';
import { outgoingClient } from '../harness/outgoing.js';

/** What a fetcher may touch, with every platform at an address where nothing is unless the test says otherwise. */
export function fetcherTools(database: Database, bases: Partial<FetcherConfig> = {}): FetcherTools {
  return {
    http: outgoingClient(database),
    config: { youtubeUrl: 'http://youtube.invalid/', blueskyUrl: 'http://bluesky.invalid/', ...bases },
    parseFeed: async (document) => parseFeedDocument(document),
  };
}
