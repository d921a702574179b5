import type { Type } from '@nestjs/common';
import { onTestFinished } from 'vitest';
import { FeedsModule } from '../../src/feeds/feeds.module.js';
import { FetchingModule } from '../../src/fetching/fetching.module.js';
import { FollowingModule } from '../../src/following/following.module.js';
import { OperationsModule } from '../../src/operations/operations.module.js';
import type { Config } from '../../src/platform/config.js';
import { PostsModule } from '../../src/posts/posts.module.js';
import { startApi } from './api.js';

type Json = Record<string, unknown>;
/** Values that all processes on one database share. */
const adminKey = 'an-admin-key-for-stories-only';

/** Everything that fetches and serves feeds, on a clock that the test sets, until the test ends. */
export async function startReader(databaseUrl: string, config: Partial<Config> = {}, more: Type[] = []) {
  const reader = await openReader(databaseUrl, config, more);
  onTestFinished(() => reader.stop());
  return reader;
}

/** Runs until it is stopped. Loopback is allowed, because the sites are there. */
export async function openReader(databaseUrl: string, config: Partial<Config> = {}, more: Type[] = []) {
  const api = await startApi({
    databaseUrl,
    config: { allowNetworks: ['127.0.0.1'], adminKey, requestsPerMinute: 100_000, hostConcurrency: 10, ...config },
    modules: [FollowingModule, PostsModule, FetchingModule, FeedsModule, OperationsModule, ...more],
  });

  const as = (user: string) => ({
    async send(method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH', url: string, payload?: Json) {
      const headers = { 'x-millrace-user': user };
      const answer = await api.send({
        method,
        url: `/api/v1${url}`,
        headers,
        key: adminKey,
        ...(payload && { payload }),
      });
      return { status: answer.statusCode, body: answer.body ? answer.json() : undefined };
    },
    async follow(url: string) {
      const { status, body } = await this.send('POST', '/sources/follow', { type: 'rss', externalId: url });
      if (status !== 202) throw new Error(`follow answered ${status}: ${JSON.stringify(body)}`);
      return body as Json & { id: string };
    },
    async titles(query = ''): Promise<string[]> {
      const { body } = await this.send('GET', `/feed${query}`);
      return body.items.map(({ title }: { title: string }) => title);
    },
    source: async (id: string) => (await as(user).send('GET', `/sources/${id}`)).body,
  });
  return { ...api, as };
}

export type Reader = Awaited<ReturnType<typeof startReader>>;
