import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ImportsModule } from '../../src/imports/imports.module.js';
import { ScrapingModule } from '../../src/scraping/scraping.module.js';
import { testDatabase } from '../harness/database.js';
import { startReader } from '../harness/reader.js';
import { startStrictSite } from '../harness/strict-site.js';

const WAIT_OPTIONS = { timeout: 25_000, interval: 100 };
const server = testDatabase();

/** Feeds, and a company's pages that lead to each other. */
function answer({ url = '/' }: IncomingMessage, response: ServerResponse): void {
  if (url === '/robots.txt' || url === '/sitemap.xml') return void response.writeHead(404).end();
  const item = `<item><guid>${url}</guid><title>${url}</title></item>`;
  if (url.startsWith('/feed')) return void response.end(`<rss version="2.0"><channel>${item}</channel></rss>`);
  response.setHeader('content-type', 'text/html');
  return void response.end('<title>Acme</title><a href="/about">About</a><a href="/contact">Contact</a>');
}

it('fetching, imports and scraping together never ask a host for more than it says that it takes', async () => {
  const policy = { 'ratelimit-policy': '"burst";q=12;w=2' };
  const { site, taken, refused } = await startStrictSite({ most: 12, windowMs: 2_000, tell: () => policy, answer });
  const url = (path: string) => site.url(path, '127.0.0.1');
  const { as, clock, send, config } = await startReader(server.url, { importRate: 100_000 }, [
    ImportsModule,
    ScrapingModule,
  ]);
  const timer = setInterval(() => clock.advance(Date.now() - clock.now().getTime()), 10);
  onTestFinished(() => clearInterval(timer));
  const anna = as('anna');
  await anna.follow(url('/feed/first'));
  await vi.waitFor(async () => expect(await anna.titles()).toHaveLength(1), WAIT_OPTIONS);

  const feeds = (from: number) => [0, 1, 2, 3, 4].map((at) => url(`/feed/${from + at}`));
  const criteria = { source_types: ['web'], filters: { sites: [url('/')] } };
  const [started, job] = await Promise.all([
    anna.send('POST', '/imports/start', { feeds: feeds(10) }),
    anna.send('POST', '/jobs/scrape', criteria),
    ...feeds(20).map((feed) => anna.follow(feed)),
  ]);
  await vi.waitFor(async () => {
    expect((await anna.send('GET', `/imports/${started.body.id}`)).body).toMatchObject({ status: 'completed' });
    expect((await anna.send('GET', `/jobs/scrape/${job.body.id}`)).body).toMatchObject({ status: 'completed' });
    expect(await anna.titles()).toHaveLength(6);
  }, WAIT_OPTIONS);
  expect(refused).toEqual([]);
  expect(taken.length).toBeGreaterThanOrEqual(14);
  const { items } = (await send({ url: '/api/v1/hosts', key: config.adminKey ?? '' })).json();
  expect(items).toMatchObject([{ host: '127.0.0.1', requestsPerMinute: 240, origin: 'header' }]);
});
