import { beforeEach, expect, it, vi } from 'vitest';
import { testDatabase } from '../../test/harness/database.js';
import { FeedSite } from '../../test/harness/feed-site.js';
import { startImporting } from '../../test/imports/importing.js';

const db = testDatabase();
const query = (text: string) => db.database.pool.query(text);

let site: FeedSite;
beforeEach(async () => {
  site = await FeedSite.start();
});

const items = (...guids: string[]) => guids.map((guid) => ({ guid, title: `title of ${guid}` }));

it('an item that PostgreSQL refuses does not keep the others of its batch from being stored', async () => {
  site.publish('/feed', ...items('a', 'poison', 'b'));
  await query(`ALTER TABLE posts ADD CONSTRAINT no_poison CHECK (title <> 'title of poison')`);
  const millrace = await startImporting(db.url);
  const me = millrace.as('me');
  const { id } = await me.start([site.url('/feed')]);
  expect(await me.whenEnded(id)).toMatchObject({
    status: 'completed',
    items: { found: 3, new: 2, updated: 0, unchanged: 0, failed: 1 },
  });
  const [letter] = await millrace.letters();
  expect(letter).toMatchObject({
    reason: expect.stringContaining('no_poison'),
    payload: { identity: expect.stringMatching(/^\d+#poison$/) },
  });

  await query('ALTER TABLE posts DROP CONSTRAINT no_poison');
  if (letter) await millrace.replay(letter);
  await me.when(id, (now) => now.items.failed === 0);
  expect((await me.find(id)).items).toEqual({ found: 3, new: 3, updated: 0, unchanged: 0, failed: 0 });
});

it('a feed that was read completely is written with the end of its job, without staged items', async () => {
  site.publish('/feed', ...items('a', 'b'));
  await query(`CREATE FUNCTION forbid() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF NEW.items IS NOT NULL THEN RAISE 'staged'; END IF; RETURN NEW; END $$`);
  await query('CREATE TRIGGER forbid BEFORE INSERT ON import_batches FOR EACH ROW EXECUTE FUNCTION forbid()');
  const me = (await startImporting(db.url)).as('me');
  const { id } = await me.start([site.url('/feed')]);
  expect(await me.whenEnded(id)).toMatchObject({ status: 'completed', items: { found: 2, new: 2, failed: 0 } });
  await query('DROP FUNCTION forbid CASCADE');
});

it('a batch that cannot be written at all fails its feed, and is written by a replay', async () => {
  site.publish('/feed', ...items('a', 'b'));
  await query(`CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN NEW.items := 'spoilt ' || NEW.items; RETURN NEW; END $$`);
  await query('CREATE TRIGGER spoil BEFORE INSERT ON import_batches FOR EACH ROW EXECUTE FUNCTION spoil()');
  const millrace = await startImporting(db.url);
  const me = millrace.as('me');
  const { id } = await me.start([site.url('/feed')], { full: true });
  expect(await me.whenEnded(id)).toMatchObject({
    status: 'failed',
    feeds: { total: 1, done: 0, failed: 1 },
    items: { found: 2, new: 0, failed: 2 },
  });
  expect(await me.list(id, 'feeds')).toMatchObject([{ error: expect.stringContaining('in Millrace itself') }]);

  await query('DROP FUNCTION spoil CASCADE');
  await query(`UPDATE import_batches SET items = substr(items, 8) WHERE items LIKE 'spoilt %'`);
  const [letter] = await millrace.letters('open', 'import-items');
  if (letter) await millrace.replay(letter);
  await me.when(id, ({ status }) => status === 'completed');
  expect(await me.find(id)).toMatchObject({
    feeds: { total: 1, done: 1, failed: 0 },
    items: { found: 2, new: 2, failed: 0 },
  });
});

it('a feed whose archive cannot be read fails and says that it was the archive; what came before is stored', async () => {
  site.show('/feed', items('a'), { rel: 'next', url: site.url('/lost') });
  const me = (await startImporting(db.url)).as('me');
  const { id } = await me.start([site.url('/feed')], { full: true });
  expect(await me.whenEnded(id)).toMatchObject({ status: 'failed', items: { found: 1, new: 1 } });
  const [feed] = await me.list(id, 'feeds');
  expect(feed).toMatchObject({ status: 'failed', error: expect.stringMatching(/^in its archive: .* 404/) });
});

it('who follows along asks each feed once, and follows those that do not answer, too', async () => {
  site.publish('/there', ...items('a'));
  const millrace = await startImporting(db.url);
  const me = millrace.as('me');
  const { id } = await me.start([site.url('/there'), site.url('/not-there')], { follow: true });
  await me.whenEnded(id);
  const { body } = await me.send('GET', '/sources');
  expect(body.items.map(({ title }: { title: string }) => title).toSorted()).toEqual(['/there', null]);
  expect(body.items).toContainEqual(expect.objectContaining({ title: '/there', lastError: null }));
  expect(body.items).toContainEqual(expect.objectContaining({ lastError: expect.stringContaining('404') }));
  expect(site.log.map(({ path }) => path).toSorted()).toEqual(['/not-there', '/there']);
  expect(await me.titles()).toEqual(['title of a']);
});

it('a feed that has moved is imported as what it has moved to, and what two feeds share is counted once', async () => {
  site.publish('/new', ...items('a', 'b'));
  site.on('/old', (_, response) => response.writeHead(301, { location: '/new' }).end());
  const me = (await startImporting(db.url)).as('me');
  const { id } = await me.start([site.url('/old'), site.url('/new')]);
  expect(await me.whenEnded(id)).toMatchObject({
    feeds: { total: 2, done: 2, failed: 0 },
    items: { found: 2, new: 2, unchanged: 0 },
  });
});

it('a failed feed is a dead letter, and a replay finishes the import', async () => {
  site.publish('/there', ...items('a'));
  const millrace = await startImporting(db.url);
  const me = millrace.as('me');
  const { id } = await me.start([site.url('/there'), site.url('/later')]);
  expect(await me.whenEnded(id)).toMatchObject({ status: 'completed', feeds: { total: 2, done: 1, failed: 1 } });
  const letters = await millrace.letters('open', 'import-feed');
  const letter = letters.find(({ reason }) => reason.includes(site.url('/later')));
  expect(letter).toBeDefined();

  site.publish('/later', ...items('b', 'c'));
  if (letter) await millrace.replay(letter);
  await me.when(id, ({ feeds }) => feeds.done === 2);
  await vi.waitFor(async () => expect((await me.find(id)).status).toBe('completed'));
  expect((await me.find(id)).items).toMatchObject({ found: 3, new: 3 });
});

it('what a cancelled import still brings is not stored', async () => {
  let answer: (() => void) | undefined;
  site.on('/slow', (_, response) => {
    answer = () =>
      response
        .writeHead(200)
        .end('<rss version="2.0"><channel><item><guid>a</guid><title>a</title></item></channel></rss>');
  });
  const me = (await startImporting(db.url)).as('me');
  const { id } = await me.start([site.url('/slow')]);
  await vi.waitFor(() => expect(answer).toBeDefined());
  await me.cancel(id);
  answer?.();
  await vi.waitFor(() => expect(site.log).toHaveLength(1));
  await vi.waitFor(async () => {
    const { rows } = await query(`SELECT FROM import_feeds WHERE import_id = ${id} AND job_state = 'waiting'`);
    expect(rows).toEqual([]);
  });
  expect(await me.find(id)).toMatchObject({ status: 'cancelled', items: { found: 0 } });
});
