import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ImportsModule } from '../../src/imports/imports.module.js';
import { PublishingModule } from '../../src/publishing/publishing.module.js';
import type { Scraper } from '../../src/scraping/scraper.js';
import { ScrapingModule } from '../../src/scraping/scraping.module.js';
import { testDatabase } from '../harness/database.js';
import { FeedSite } from '../harness/feed-site.js';
import { startReader } from '../harness/reader.js';
import { redisUrl } from '../harness/redis.js';
import { company, plugIn } from '../scraping/searching.js';

const WAIT_OPTIONS = { timeout: 30_000, interval: 50 };
/** The number of jobs of each kind. A few of them take all slots. */
const ANNS_JOBS = 12;
const paths = Array.from({ length: ANNS_JOBS }, (_, at) => `/ann/${at}`);

/** A site that does not answer what Ann asks for until the test is over, and answers Bob at once. */
async function startSite() {
  const site = await FeedSite.start();
  const held: ServerResponse[] = [];
  const hold = (_: unknown, response: ServerResponse) => held.push(response);
  for (const path of paths) site.on(path, hold);
  for (const path of ['/bob/followed', '/bob/imported']) site.publish(path, { guid: path, title: `News of ${path}` });
  site.on('/ann/hook', async (request, response) => {
    if ((await textOf(request)).includes('"type":"ping"')) response.end();
    else hold(request, response);
  });
  site.on('/bob/hook', (_, response) => response.end());
  return site;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const search: Scraper['scrape'] = async function* ({ keywords }, { signal }) {
  if (keywords.includes('ann'))
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  yield company('Bob');
};

async function startMillrace(databaseUrl: string, redis: string | undefined) {
  const slots = { scrapeConcurrency: 2, importConcurrency: 2, fetchConcurrency: 2, hostConcurrency: 200 };
  const secretKeys = ['a-secret-key-for-stories-of-fairness-only'];
  const config = { ...slots, secretKeys, importRate: 100_000, shutdownMs: 100, redisUrl: redis };
  const reader = await startReader(databaseUrl, config, [ImportsModule, ScrapingModule, PublishingModule]);
  plugIn(reader, 'directory', search);
  const as = (user: string) => {
    const person = reader.as(user);
    const { send } = person;
    const post = async (path: string, body: object): Promise<{ id: string }> => {
      const answer = await send('POST', path, { ...body });
      if (answer.status >= 300) throw new Error(`${path} was answered with ${JSON.stringify(answer)}`);
      return answer.body;
    };
    return {
      follow: (url: string) => person.follow(url),
      titles: () => person.titles(),
      startImport: (feeds: string[]) => post('/imports/start', { feeds }),
      searchFor: (keyword: string) => post('/jobs/scrape', { keywords: [keyword], source_types: ['directory'] }),
      account: (url: string) =>
        post('/accounts', { name: 'mine', platform: 'webhook', credentials: { url, secret: 'a secret "1"' } }),
      publish: (accountId: string, text: string) => post('/publications', { accountId, content: { text } }),
      statusOf: async (path: string): Promise<string> => (await send('GET', path)).body.status,
    };
  };
  return { ...reader, as };
}

describe.each([
  ['PostgreSQL', testDatabase(), undefined],
  ['Redis', testDatabase(), redisUrl()],
])('one user whose work takes for ever in every queue on %s', (_queue, database, redis) => {
  it('does not keep another user waiting', { timeout: 120_000 }, async () => {
    const site = await startSite();
    const millrace = await startMillrace(database.url, redis);
    const [ann, bob] = [millrace.as('ann'), millrace.as('bob')];
    const anns = paths.map((path) => site.url(path));
    const annsImport = await ann.startImport(anns);
    for (const url of anns) await ann.follow(url);
    const searches: string[] = [];
    for (const _path of paths) searches.push((await ann.searchFor('ann')).id);
    const { id: annsAccount } = await ann.account(site.url('/ann/hook'));
    const annsPosts: string[] = [];
    for (const path of paths) annsPosts.push((await ann.publish(annsAccount, path)).id);
    await expect.poll(() => ann.statusOf(`/jobs/scrape/${searches[1]}`), WAIT_OPTIONS).toBe('running');
    await expect.poll(() => ann.statusOf(`/publications/${annsPosts[0]}`), WAIT_OPTIONS).toBe('publishing');

    const { id: imported } = await bob.startImport([site.url('/bob/imported')]);
    await bob.follow(site.url('/bob/followed'));
    const { id: search } = await bob.searchFor('bob');
    const { id: bobsAccount } = await bob.account(site.url('/bob/hook'));
    const { id: post } = await bob.publish(bobsAccount, 'Hello');

    await expect.poll(() => bob.statusOf(`/jobs/scrape/${search}`), WAIT_OPTIONS).toBe('completed');
    await expect.poll(() => bob.statusOf(`/imports/${imported}`), WAIT_OPTIONS).toBe('completed');
    await expect.poll(() => bob.titles(), WAIT_OPTIONS).toEqual(['News of /bob/followed']);
    await expect.poll(() => bob.statusOf(`/publications/${post}`), WAIT_OPTIONS).toBe('published');
    expect(await ann.statusOf(`/imports/${annsImport.id}`)).toBe('running');
  });
});
