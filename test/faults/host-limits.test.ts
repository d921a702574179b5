import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ImportsModule } from '../../src/imports/imports.module.js';
import { ScrapingModule } from '../../src/scraping/scraping.module.js';
import { testDatabase } from '../harness/database.js';
import { openReader } from '../harness/reader.js';
import { retryAfter, startStrictSite } from '../harness/strict-site.js';

const MINUTE = 60_000;
const server = testDatabase();

async function startProcess() {
  const reader = await openReader(server.url, { importRate: 100_000, hostConcurrency: 2 }, [
    ImportsModule,
    ScrapingModule,
  ]);
  const timer = setInterval(() => reader.clock.advance(Date.now() - reader.clock.now().getTime()), 10);
  onTestFinished(async () => {
    clearInterval(timer);
    await reader.stop();
  });
  return reader;
}

it(
  'a host that refuses after 60 requests a minute is not asked for more again, by any part or process',
  async () => {
    const { site, refused } = await startStrictSite({
      most: 60,
      windowMs: MINUTE,
      tell: retryAfter,
      answer: ({ url = '' }, response) => {
        const item = `<item><guid>${url}</guid><title>${url}</title></item>`;
        response.end(`<rss version="2.0"><channel>${item}</channel></rss>`);
      },
    });
    const url = (path: string) => site.url(path, '127.0.0.1');
    const [one, other] = [await startProcess(), await startProcess()];
    const many = (name: string, count: number) => Array.from({ length: count }, (_, at) => url(`/${name}/${at}`));
    for (const feed of many('followed', 80)) await one.as('anna').follow(feed);
    await vi.waitFor(() => expect(refused.length).toBeGreaterThan(0), { timeout: MINUTE, interval: 100 });
    const firstAt = refused[0]?.at ?? 0;

    const { body } = await other.as('ben').send('POST', '/imports/start', { feeds: many('imported', 40) });
    const criteria = { source_types: ['web'], filters: { sites: [url('/site')] } };
    await other.as('ben').send('POST', '/jobs/scrape', criteria);
    const ended = { timeout: 8 * MINUTE, interval: 1_000 };
    await vi.waitFor(async () => {
      const { body: now } = await other.as('ben').send('GET', `/imports/${body.id}`);
      expect(now).toMatchObject({ status: 'completed', feeds: { done: 40 } });
    }, ended);
    await sleep(Math.max(0, firstAt + 3 * MINUTE - Date.now()));
    // What was on its way when the first was refused.
    expect(refused.filter(({ at }) => at > firstAt + 2_000)).toEqual([]);
  },
  12 * MINUTE,
);
