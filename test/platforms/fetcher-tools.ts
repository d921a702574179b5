import type {
  FetchCommand,
  FetchedPage,
  Fetcher,
  FetcherConfig,
  FetcherTools,
  FetchResult,
} from '../../src/fetching/fetcher.js';
import { parseFeed } from '../../src/fetching/parsing/parse-feed.js';
import type { Database } from '../../src/platform/database/database.js';
import { outgoingClient } from '../harness/outgoing.js';

/** What a fetcher may touch, with every platform at an address where nothing is unless the test says otherwise. */
export function fetcherTools(database: Database, bases: Partial<FetcherConfig> = {}): FetcherTools {
  return {
    http: outgoingClient(database),
    config: { youtubeUrl: 'http://youtube.invalid/', blueskyUrl: 'http://bluesky.invalid/', ...bases },
    parseFeed: async (document) => parseFeed(document),
    askWorker: (type) => Promise.reject(new Error(`nobody fetches ${type} here`)),
  };
}

export const NOW = new Date('2030-01-01T00:00:00Z');

/** Asks about one source: for its newest posts, unless the test says otherwise. */
export function asking(fetcher: Fetcher, externalId: string, tools: FetcherTools) {
  const { signal } = new AbortController();
  const ask = (command: Partial<FetchCommand> = {}): Promise<FetchResult> =>
    fetcher.fetch({ externalId, limit: 50, validators: {}, now: NOW, signal, ...command }, tools);
  const page = async (command?: Partial<FetchCommand>): Promise<FetchedPage> => {
    const result = await ask(command);
    if ('unchanged' in result) throw new Error('nothing has changed');
    return result;
  };
  const post = async () => (await page()).posts[0];
  return { ask, page, post };
}

export const idsOf = ({ posts }: FetchedPage) => posts.map(({ externalId }) => externalId);
