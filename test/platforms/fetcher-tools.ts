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

/** The tools of a fetcher. Every platform is at an address where nothing listens unless the test sets one. */
export function fetcherTools(database: Database, bases: Partial<FetcherConfig> = {}): FetcherTools {
  return {
    http: outgoingClient(database),
    config: { youtubeUrl: 'http://youtube.invalid/', blueskyUrl: 'http://bluesky.invalid/', ...bases },
    parseFeed: async (document) => parseFeed(document),
    askWorker: (type) => Promise.reject(new Error(`nobody fetches ${type} here`)),
  };
}

export const NOW = new Date('2030-01-01T00:00:00Z');

/** A command for one source that asks for its newest posts unless the test asks for something else. */
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
