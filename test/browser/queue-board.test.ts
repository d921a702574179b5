import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { FeedSite } from '../harness/feed-site.js';
import { pageServer } from './page-server.js';
import { browser, signIn } from './visitor.js';

const chrome = browser();
const millrace = pageServer({ MILLRACE_MIN_INTERVAL: '1h' });

it('shows in bull-board what came of fetches that have ended, and their log lines', async () => {
  const site = await FeedSite.start();
  site.publish('/news.xml', { guid: 'a', title: 'A' }, { guid: 'b', title: 'B' });
  site.on('/gone.xml', (_request, response) => response.writeHead(404).end());
  for (const path of ['/news.xml', '/gone.xml'])
    await millrace.api('/sources/follow', { type: 'rss', externalId: site.url(path) });
  const page = await chrome.visit(millrace.address, { tolerates: /was preloaded using link preload/ });
  const origins = new Set<string>();
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  await signIn(page, millrace.key, '/health');

  await openFirst(page, 'completed');
  await page.getByText('"fetched"').waitFor();
  await page.getByText('newPostsCount').waitFor();
  await page.getByText('100%').waitFor();
  await page.getByText('Logs', { exact: true }).click();
  await page.getByText(`Fetching ${site.url('/news.xml')}`).waitFor();
  await page.getByText('Saved 2 new posts of 2').waitFor();

  await openFirst(page, 'failed');
  await page.getByText('Logs', { exact: true }).click();
  await page.getByText('"status":"source_error"').waitFor();
  await page.getByText('Error', { exact: true }).click();
  const { host } = new URL(site.url('/'));
  await expect.poll(() => page.locator('body').innerText(), { timeout: 15_000 }).toContain(`${host} answered 404`);
  expect([...origins]).toEqual([millrace.address]);
});

async function openFirst(page: Page, status: 'completed' | 'failed'): Promise<void> {
  await page.goto(`/admin/queues/queue/fetch-rss?status=${status}`);
  await page
    .getByText(/^fetch-rss-\d+-\d+$/)
    .first()
    .waitFor({ timeout: 25_000 });
}
