import { expect, it } from 'vitest';
import { ScrapingModule } from '../../src/scraping/scraping.module.js';
import { EventSource } from '../feeds/event-source.js';
import { testDatabase } from '../harness/database.js';
import { startReader } from '../harness/reader.js';
import { startSite } from '../harness/site.js';
import { FakeGoogleSearch } from '../platforms/fake-google-search.js';
import { FakeOverpass } from '../platforms/fake-overpass.js';
import { fakeSearxng } from '../platforms/fake-search-providers.js';
import { startCompanySite } from '../scraping/company-site.js';

const WAIT_OPTIONS = { timeout: 25_000, interval: 100 };
const database = testDatabase();

/** The fakes have names of their own, which nobody resolves here. */
const onLoopback = (url: string) => Object.assign(new URL(url), { hostname: '127.0.0.1' }).href;

async function startBerlin() {
  const google = await new FakeGoogleSearch().start();
  google.results = ['acme', 'bolt', 'core'].map((name) => ({
    title: `${name} bakery`,
    link: `https://www.${name}-bakery.de/`,
    displayLink: `www.${name}-bakery.de`,
    snippet: 'A bakery in Berlin',
  }));
  const overpass = await new FakeOverpass().start();
  const berlin = overpass.place({ name: 'Berlin', admin_level: '4' });
  overpass.add({ name: 'Acme', shop: 'bakery', website: 'https://acme-bakery.de', phone: '030 901820' }, berlin);
  overpass.add({ name: '=Dawn', shop: 'bakery', email: 'hi@dawn-bakery.de' }, berlin);
  const shop = '<title>Edge Bakery</title><a href="mailto:hello@edge-bakery.de">write</a>';
  const site = await startCompanySite({ '/': shop });
  const bases = { googleUrl: onLoopback(google.url), overpassUrl: onLoopback(overpass.url) };
  return { config: { ...google.config, ...bases }, site: onLoopback(site.url()) };
}

it('stores a company once that a web search and LinkedIn find', async () => {
  const searxng = fakeSearxng();
  searxng.results = [
    { link: 'https://www.acme-bakery.de/', title: 'Acme Bakery', snippet: 'Bakes bread' },
    {
      link: 'https://de.linkedin.com/company/acme',
      title: 'Acme | LinkedIn',
      snippet: 'Website: http://acme-bakery.de',
    },
  ];
  const searchUrl = (await startSite(searxng.listener)).url('/', '127.0.0.1');
  const reader = await startReader(database.url, { searchUrl }, [ScrapingModule]);
  const bob = reader.as('bob');
  const source_types = ['google', 'linkedin'];
  const { body } = await bob.send('POST', '/jobs/scrape', { search_query: 'acme', source_types });
  const job = async () => (await bob.send('GET', `/jobs/scrape/${body.id}`)).body;
  await expect.poll(async () => (await job()).status, WAIT_OPTIONS).toBe('completed');
  const { items } = (await bob.send('GET', `/jobs/scrape/${body.id}/leads`)).body;
  expect(items.filter(({ domain }: { domain: string }) => domain === 'acme-bakery.de')).toHaveLength(1);
  expect(searxng.asked.map(({ query }) => query)).toContain('acme site:linkedin.com/company');
});

it('finds the bakeries of a town: posted, watched live, downloaded', async () => {
  const { config, site } = await startBerlin();
  const reader = await startReader(database.url, config, [ScrapingModule]);
  await reader.app.listen({ host: '127.0.0.1', port: 0 });
  const ann = reader.as('ann');
  const { status, body } = await ann.send('POST', '/jobs/scrape', {
    industry: 'bakery',
    geography: 'Berlin',
    source_types: ['google', 'openstreetmap', 'web'],
    filters: { sites: [site] },
  });
  expect([status, body.status]).toEqual([202, 'queued']);

  const headers = { authorization: `Bearer ${reader.config.adminKey}`, 'x-millrace-user': 'ann' };
  const address = `${await reader.app.getUrl()}/api/v1/jobs/scrape/${body.id}`;
  const stream = await EventSource.open(`${address}/stream`, headers);
  await expect.poll(() => stream.ended, WAIT_OPTIONS).toBe(true);
  expect(stream.told.at(-1)?.data).toMatchObject({
    status: 'completed',
    total_found: 6,
    total_processed: 6,
    duplicates: 1,
    error: null,
    by_source: [{ found: 3 }, { found: 2 }, { found: 1 }],
  });

  const csv = await (await fetch(`${address}/leads?format=csv`, { headers })).text();
  const [header, ...rows] = csv.trim().split('\r\n');
  expect(header).toMatch(/^id,name,domain,emails,phones/);
  expect(rows).toHaveLength(5);
  expect(csv).toContain("'=Dawn");
  expect(csv).toContain('hello@edge-bakery.de');
});
