import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { newUser } from '../../../test/fetching/demand-parts.js';
import { WorkerProcess } from '../../../test/fetching/worker-process.js';
import { testDatabase } from '../../../test/harness/database.js';
import { FeedSite } from '../../../test/harness/feed-site.js';
import { startReader } from '../../../test/harness/reader.js';
import { users } from '../../auth/users/users.table.js';
import { Following } from '../../following/following.js';
import type { Config } from '../../platform/config.js';
import { FetchStatesStore } from './fetch-states.store.js';
import { SourceMoves } from './source-moves.js';

const given = testDatabase();

/** Returns whether a feed that names a hub changes anything about its source. */
async function concerns(path: string, config: Partial<Config>): Promise<boolean> {
  const { app } = await startReader(given.url, { roles: new Set(['api']), ...config });
  const site = await FeedSite.start();
  site.publish(path, { guid: '1', title: 'One' });
  const user = await newUser(given.database);
  await given.database.db.update(users).set({ active: true }).where(eq(users.id, user));
  const id = await app.get(Following).follow(user, { type: 'rss', externalId: site.url(path) });
  await new WorkerProcess({ app }).run(id);
  const source = await app.get(FetchStatesStore).find(id);
  if (!source) throw new Error('there is no source');
  const announces = { hubs: ['https://hub.example/'], topic: site.url(path) };
  return app.get(SourceMoves).concerns(source, { posts: [], announces });
}

it('ignores the hub that a feed names, unless hubs can reach us', async () => {
  expect(await concerns('/unreachable', {})).toBe(false);
  expect(await concerns('/reachable', { publicUrl: 'https://millrace.example' })).toBe(true);
});
