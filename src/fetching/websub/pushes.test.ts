import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { feedOfHub, openQuiet } from '../../../test/fetching/pushed-feed.js';
import { testDatabase } from '../../../test/harness/database.js';
import { renderFeed } from '../../../test/harness/feed-site.js';
import type { Reader } from '../../../test/harness/reader.js';

const MINUTE = 60_000;

const given = testDatabase();
let reader: Reader;
beforeAll(async () => {
  reader = await openQuiet(given.url, 'https://millrace.example/');
});
afterAll(() => reader?.stop());

const item = (title: string, link: string) => ({ xml: `<item><title>${title}</title><link>${link}</link></item>` });

/** Serves a feed with these posts instead of the first ones. */
async function feedOf(...items: { xml: string }[]) {
  const feed = await feedOfHub(reader);
  feed.site.show('/feed', items);
  reader.clock.advance(5 * MINUTE);
  await feed.fetch();
  await feed.verify();
  reader.clock.advance(5 * MINUTE);
  const push = (...pushed: { xml: string }[]) => feed.deliver(renderFeed('Pushed', pushed));
  return { ...feed, push };
}

it('a push of a feed whose items are distinguished by each other only announces new posts', async () => {
  const [one, two] = [item('A', 'https://site.example/news'), item('B', 'https://site.example/news')];
  const feed = await feedOf(one, two);
  const three = item('C', 'https://site.example/news');
  feed.site.show('/feed', [three, one, two]);
  expect(await feed.push(three)).toBe(202);
  expect((await feed.ann.titles()).toSorted()).toEqual(['A', 'B', 'One']);
  await feed.work();
  expect((await feed.ann.titles()).toSorted()).toEqual(['A', 'B', 'C', 'One']);
});

it('what is pushed is what a fetch finds, also where links are relative and the feed names another address as its own', async () => {
  const feed = await feedOf(item('A', '/a'));
  await given.database.db.execute(sql`
    UPDATE websub_subscriptions SET topic_url = 'https://another.example/' WHERE source_id = ${feed.id}`);
  expect(await feed.push(item('B', '/b'))).toBe(202);
  expect((await feed.ann.titles()).toSorted()).toEqual(['A', 'B', 'One']);
  feed.site.show('/feed', [item('B', '/b'), item('A', '/a')]);
  await feed.fetch();
  expect((await feed.ann.titles()).toSorted()).toEqual(['A', 'B', 'One']);
  const { body } = await feed.ann.send('GET', '/feed');
  expect(body.items.map(({ url }: { url: string }) => url)).toContain(feed.site.url('/b'));
});

it('relative links of what is pushed begin where the feed was found in the end', async () => {
  const feed = await feedOf(item('A', 'a'));
  feed.site.on('/feed', (_, response) => response.writeHead(302, { location: '/elsewhere/feed' }).end());
  feed.site.show('/elsewhere/feed', [item('A', 'a')]);
  await feed.fetch();
  expect(await feed.push(item('B', 'b'))).toBe(202);
  const { body } = await feed.ann.send('GET', '/feed');
  expect(body.items.map(({ url }: { url: string }) => url)).toContain(feed.site.url('/elsewhere/b'));
});

it('what cannot be stored is not answered as taken, and nothing of it is; the hub sends it again', async () => {
  const feed = await feedOf(item('A', '/a'));
  const refuse = sql.raw(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'out of order'; END $$;
    CREATE TRIGGER refuse BEFORE UPDATE ON websub_subscriptions FOR EACH ROW EXECUTE FUNCTION refuse()`);
  const repair = () => given.database.db.execute(sql.raw('DROP FUNCTION IF EXISTS refuse CASCADE'));
  await given.database.db.execute(refuse);
  onTestFinished(async () => void (await repair()));
  expect(await feed.push(item('B', '/b'))).toBe(500);
  expect(await feed.deliver('news!')).toBe(500);
  expect(await feed.ann.titles()).not.toContain('B');
  await repair();
  expect(await feed.push(item('B', '/b'))).toBe(202);
  expect(await feed.ann.titles()).toContain('B');
});

it('news that a hub only told of are remembered when it has its answer, also while the feed may not be asked', async () => {
  const feed = await feedOf(item('A', '/a'));
  expect(await feed.deliver('news!')).toBe(202);
  expect(await feed.state()).toMatchObject({ jobState: 'waiting' });
  await feed.work();
  expect(await feed.deliver('more news!')).toBe(202);
  expect(await feed.state()).toMatchObject({ jobState: 'done' });
  expect(await feed.subscription()).toMatchObject({ pingedAt: reader.clock.now() });
});
