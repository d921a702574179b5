import { beforeEach, expect, it, vi } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { FeedSite } from '../harness/feed-site.js';
import { startImporting } from '../imports/importing.js';

const db = testDatabase();
const WAIT_OPTIONS = { timeout: 30_000, interval: 100 };
vi.setConfig({ testTimeout: 120_000 });
beforeEach(() => db.database.pool.query('DELETE FROM host_backoffs; DELETE FROM host_limits'));

interface Job {
  guid: string;
  company: string;
  salary?: string;
}

type Item = { externalId: string; status: string; fields: Record<string, string> };

const itemOf = ({ guid, company, salary }: Job) => ({
  xml: `<item><guid>${guid}</guid><title>Job ${guid}</title><company>${company}</company>${salary ? `<salary>${salary}</salary>` : ''}</item>`,
});

async function startJobs() {
  const { as } = await startImporting(db.url);
  const site = await FeedSite.start();
  const show = (...jobs: Job[]) => site.show('/jobs', jobs.map(itemOf));
  const url = site.url('/jobs');
  const importFeed = async (name: string, options: object) => {
    const user = as(name);
    const { id } = await user.start([url], { follow: true, ...options });
    const ended = await user.whenEnded(id);
    const items = async (query = '') => {
      const all = await user.list<Item>(id, `items${query}`);
      return Object.fromEntries(all.map(({ externalId, fields }) => [externalId, fields]));
    };
    return { user, id, ended, items };
  };
  /** Fetches the feed again, as its schedule would. */
  const fetchAgain = async () => {
    const before = site.requests('/jobs').length;
    await db.database.pool.query(
      `UPDATE fetch_states SET next_fetch_at = now() - interval '1 minute'
      FROM sources WHERE sources.id = fetch_states.id AND external_id = $1`,
      [url],
    );
    await expect.poll(() => site.requests('/jobs').length, WAIT_OPTIONS).toBeGreaterThan(before);
  };
  return { show, url, importFeed, fetchAgain };
}

const FIELDS = { company: 'company', pay: 'salary' };
const BAKER = { guid: 'baker', company: 'Acme', salary: '10' };
const CODER = { guid: 'coder', company: 'Bolt', salary: '20' };

it('are read by later fetches: of new posts, and of known ones in which nothing else has changed', async () => {
  const { show, importFeed, fetchAgain } = await startJobs();
  show(BAKER);
  const anna = await importFeed('anna', { fields: FIELDS });
  expect(await anna.items()).toEqual({ baker: { company: 'Acme', pay: '10' } });
  show(CODER, { ...BAKER, salary: '11' });
  await fetchAgain();
  const now = { baker: { company: 'Acme', pay: '11' }, coder: { company: 'Bolt', pay: '20' } };
  await expect.poll(() => anna.items(), WAIT_OPTIONS).toEqual(now);
  expect(await anna.items('?field.pay=11')).toEqual({ baker: now.baker });
  expect(await anna.items('?field.pay=10')).toEqual({});
  expect(await anna.items('?field.company=bolt&status=new')).toEqual({ coder: now.coder });
  expect(await anna.user.find(anna.id)).toMatchObject({ items: anna.ended.items });
});

it('are kept up for each user with the paths of their newest import, and leave out posts without a required one', async () => {
  const { show, importFeed, fetchAgain } = await startJobs();
  show(BAKER);
  const old = await importFeed('bert', { fields: FIELDS });
  const bert = await importFeed('bert', { fields: { pay: { from: 'salary', required: true } } });
  const cora = await importFeed('cora', { fields: { pay: 'company' } });
  show({ guid: 'cook', company: 'Cafe' }, CODER, { ...BAKER, salary: '11' });
  await fetchAgain();
  const pay = (baker: string, coder: string) => ({ baker: { pay: baker }, coder: { pay: coder } });
  await expect.poll(() => bert.items(), WAIT_OPTIONS).toEqual(pay('11', '20'));
  expect(await cora.items()).toEqual({ ...pay('Acme', 'Bolt'), cook: { pay: 'Cafe' } });
  expect(await old.items()).toEqual({ baker: { company: 'Acme', pay: '10' } });
});

it('are no longer kept up for a user who has unfollowed the feed, and never for one who does not follow it', async () => {
  const { show, importFeed, fetchAgain } = await startJobs();
  show(BAKER);
  const [dora, emil, fred] = [
    await importFeed('dora', { fields: FIELDS }),
    await importFeed('emil', { fields: FIELDS }),
    await importFeed('fred', { fields: FIELDS, follow: false }),
  ];
  const { body } = await dora.user.send('GET', '/sources');
  await dora.user.send('DELETE', `/sources/${body.items[0].id}/follow`);
  show(CODER, BAKER);
  await fetchAgain();
  await expect.poll(async () => Object.keys(await emil.items()), WAIT_OPTIONS).toEqual(['baker', 'coder']);
  for (const one of [dora, fred]) expect(Object.keys(await one.items())).toEqual(['baker']);
});
