import { expect, it } from 'vitest';
import { testDatabase } from '../../test/harness/database.js';
import { FeedSite } from '../../test/harness/feed-site.js';
import { startImporting } from '../../test/imports/importing.js';

const db = testDatabase();

it('feeds whose host wants to be left alone do not hold up the others of their import', async () => {
  const [busy, site] = [await FeedSite.start(), await FeedSite.start()];
  const refused = Array.from({ length: 210 }, (_, at) => `/${at}`);
  for (const path of refused) busy.on(path, (_, response) => response.writeHead(429, { 'retry-after': '600' }).end());
  site.publish('/feed', { guid: 'a', title: 'a' });
  const me = (await startImporting(db.url)).as('me');
  // Another name counts as another host.
  const other = site.url('/feed').replace('127.0.0.1', 'localhost');
  const { id } = await me.start([...refused.map((path) => busy.url(path)), other]);
  expect(await me.when(id, ({ feeds }) => feeds.done === 1)).toMatchObject({ status: 'running', items: { new: 1 } });
  await me.cancel(id);
});
