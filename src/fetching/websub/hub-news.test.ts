import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WorkerProcess } from '../../../test/fetching/worker-process.js';
import { testDatabase } from '../../../test/harness/database.js';
import { FeedSite } from '../../../test/harness/feed-site.js';
import { openReader, type Reader, startReader } from '../../../test/harness/reader.js';
import { subscriptions } from './subscriptions.table.js';

const given = testDatabase();

/** What is known of its hubs once a feed was fetched, and then again with others. */
async function fetchedTwice(reader: Reader, ...hubs: [string[], string[]]) {
  const site = await FeedSite.start();
  site.hubs = hubs[0];
  site.publish('/feed', { guid: '1', title: 'One' });
  const { id } = await reader.as('ann').follow(site.url('/feed'));
  const worker = new WorkerProcess(reader);
  await worker.run(id);
  site.hubs = hubs[1];
  site.publish('/feed', { guid: '2', title: 'Two' });
  await worker.fetch(id);
  const { hubUrls, state } = subscriptions;
  return given.database.db
    .select({ hubUrls, state })
    .from(subscriptions)
    .where(eq(subscriptions.sourceId, id))
    .orderBy(subscriptions.id);
}

const ONE = ['https://one.example/'];
const OTHERS = ['https://two.example/', 'https://three.example/'];

/** Without the roles that act by themselves. */
const quiet = { roles: new Set(['api'] as const) };
let reader: Reader;
beforeAll(async () => {
  reader = await openReader(given.url, { ...quiet, publicUrl: 'https://millrace.example/' });
});
afterAll(() => reader?.stop());

it('a hub is asked once, however often the feed names it', async () => {
  expect(await fetchedTwice(reader, ONE, ONE)).toEqual([{ hubUrls: ONE, state: 'asked' }]);
});

it('where a feed names others, those are asked and the first is told to end', async () => {
  expect(await fetchedTwice(reader, ONE, OTHERS)).toEqual([
    { hubUrls: ONE, state: 'ending' },
    { hubUrls: OTHERS, state: 'asked' },
  ]);
});

it('no hub is asked where hubs could not reach us', async () => {
  expect(await fetchedTwice(await startReader(given.url, quiet), ONE, ONE)).toEqual([]);
});
