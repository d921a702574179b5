import { randomUUID } from 'node:crypto';
import { FeedsModule } from '../../src/feeds/feeds.module.js';
import { FetchingModule } from '../../src/fetching/fetching.module.js';
import { FollowingModule } from '../../src/following/following.module.js';
import type { Config } from '../../src/platform/config.js';
import type { FeedItem } from '../../src/posts/feed-item.js';
import { PostsModule } from '../../src/posts/posts.module.js';
import { type Api, startApi } from '../harness/api.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A process that serves feeds and fetches none. */
export function startFeeds(databaseUrl: string, config: Partial<Config> = {}): Promise<Api> {
  return startApi({
    databaseUrl,
    config: { roles: new Set(['api']), requestsPerMinute: 100_000, ...config },
    modules: [FollowingModule, PostsModule, FetchingModule, FeedsModule],
  });
}

/** A user of that process. Their key is valid in all processes on the same database; `on` selects another one. */
export class Reader {
  constructor(
    readonly api: Api,
    private readonly key = api.adminKey,
    readonly name = `reader-${randomUUID()}`,
  ) {}

  on(api: Api): Reader {
    return new Reader(api, this.key, this.name);
  }

  get headers() {
    return { authorization: `Bearer ${this.key}`, 'x-millrace-user': this.name };
  }

  send(method: Method, path: string, payload?: object) {
    return this.api.send({ method, url: `/api/v1${path}`, headers: this.headers, ...(payload && { payload }) });
  }

  /** Creates a source and follows it. Returns its id. */
  async follow(externalId = `https://example.org/${randomUUID()}`): Promise<string> {
    const answer = await this.send('POST', '/sources/follow', { type: 'rss', externalId });
    if (answer.statusCode !== 202) throw new Error(`following was answered with ${answer.body}`);
    return answer.json().id;
  }

  async page(path = '/feed'): Promise<{ items: FeedItem[]; nextCursor: string | null }> {
    const answer = await this.send('GET', path);
    if (answer.statusCode !== 200) throw new Error(`${path} was answered with ${answer.body}`);
    return answer.json();
  }

  /** Returns the external ids of the posts on a page. */
  async posts(path?: string): Promise<string[]> {
    return (await this.page(path)).items.map(({ externalId }) => externalId);
  }
}
