import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakeWebhookPublishing } from '../../demo/platforms/fake-webhook-publishing.js';
import { FeedSite } from '../harness/feed-site.js';
import { jsonLd } from '../scraping/company-site.js';
import { pageServer } from './page-server.js';
import { browser, signIn } from './visitor.js';

const WAIT_OPTIONS = { timeout: 15_000 };
const chrome = browser();
const millrace = pageServer({ MILLRACE_IMPORT_RATE: '10' });
let site: FeedSite;
let hooks: FakeWebhookPublishing[];
beforeAll(async () => {
  site = await FeedSite.open();
  hooks = [await FakeWebhookPublishing.start(), await FakeWebhookPublishing.start()];
});
afterAll(async () => {
  await site.stop();
  for (const hook of hooks) await hook.close();
});

async function visit(path: string): Promise<Page> {
  const page = await chrome.visit(millrace.address);
  await signIn(page, millrace.key, path);
  return page;
}

describe('somebody who works', () => {
  it('imports a list of feeds and sees the progress, the failures and the totals', async () => {
    const feeds = Array.from({ length: 30 }, (_, n) => `/import-${n}.xml`);
    for (const feed of feeds) site.publish(feed, { guid: 'a', title: 'A' }, { guid: 'b', title: 'B' });
    const page = await visit('/imports');
    const addresses = [...feeds, '/nowhere.xml'].map((feed) => site.url(feed));
    await page.getByLabel('Feed URLs, one per line').fill(addresses.join('\n'));
    await page.getByRole('button', { name: 'Start import' }).click();
    const bar = page.getByRole('progressbar', { name: 'Feeds' });
    await bar.waitFor();
    await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow')), WAIT_OPTIONS).toBeGreaterThan(0);
    await page.getByRole('heading', { level: 1, name: /completed|partial/i }).waitFor();
    expect(await bar.getAttribute('aria-valuenow')).toBe('31');
    await page.getByText('60', { exact: true }).first().waitFor();
    await page
      .getByText(/nowhere\.xml/)
      .first()
      .waitFor();
  });

  it('looks for companies, watches the search end, and takes the leads home as CSV', async () => {
    const bakery = {
      '@context': 'https://schema.org',
      '@type': 'Bakery',
      name: 'Heron Bakery',
      email: 'hello@heron.example',
      url: site.url('/heron'),
    };
    site.on('/heron', (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Heron Bakery</title>${jsonLd(bakery)}`),
    );
    const page = await visit('/leads');
    await page.getByLabel('Industry').fill('bakery');
    await page.getByRole('checkbox', { name: 'Specific sites' }).check();
    await page.getByLabel('Sites', { exact: true }).fill(site.url('/heron'));
    await page.getByRole('button', { name: 'Start search' }).click();
    await page.getByText('Heron Bakery').first().waitFor({ timeout: 25_000 });
    await page.getByRole('button', { name: 'Run again' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    expect(csv).toContain('Heron Bakery');
    expect(csv).toContain('hello@heron.example');
  });

  it('writes a post for two accounts at a time to come, sees it wait, and sees it go out', async () => {
    const page = await visit('/publish/accounts');
    for (const [n, hook] of hooks.entries()) await addAccount(page, `Hook ${n}`, hook);
    await page.getByRole('link', { name: 'New post' }).click();
    await page.getByLabel('Text').fill('The water is high.');
    for (const n of hooks.keys()) await page.getByRole('checkbox', { name: `Hook ${n}` }).check();
    await page.getByRole('radio', { name: 'At a specific time' }).check();
    await page.getByLabel('Time', { exact: true }).fill(localTimeIn(8_000));
    await page.getByRole('button', { name: 'Schedule' }).click();
    const queue = page.getByRole('link', { name: 'The water is high.' });
    await expect.poll(() => queue.count()).toBe(2);
    expect(hooks.flatMap(({ posts }) => posts)).toEqual([]);
    await page
      .getByText(/^Published$/i)
      .nth(1)
      .waitFor({ timeout: 30_000 });
    expect(hooks.map(({ posts }) => posts.map(({ text }) => text))).toEqual([
      ['The water is high.'],
      ['The water is high.'],
    ]);
  });

  it('replays a dead letter, and what failed works', async () => {
    const [hook] = hooks;
    if (!hook) throw new Error('no hook');
    hook.refuse({ status: 400, body: { message: 'not today' } });
    const accounts = await millrace.api<{ items: { id: string; name: string }[] }>('/accounts');
    const accountId = accounts.items.find(({ name }) => name === 'Hook 0')?.id;
    await millrace.api('/publications', { accountId, content: { text: 'A second try.' } });
    await expect.poll(() => openLetters('publish-webhook'), WAIT_OPTIONS).toBe(1);
    const page = await visit('/dead-letters');
    await page.getByRole('link', { name: /not today/ }).click();
    await page.getByRole('heading', { level: 2, name: /^Dead letter/ }).waitFor();
    hook.refusals.clear();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await expect.poll(() => hook.posts.map(({ text }) => text), { timeout: 20_000 }).toContain('A second try.');
  });
});

async function openLetters(queue: string): Promise<number> {
  const { items } = await millrace.api<{ items: unknown[] }>(`/dead-letters?state=open&queue=${queue}`);
  return items.length;
}

async function addAccount(page: Page, name: string, hook: FakeWebhookPublishing): Promise<void> {
  await page.getByRole('button', { name: 'Add account' }).click();
  const form = page.getByRole('form', { name: 'Add account' });
  await form.getByLabel('Platform').selectOption('webhook');
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('URL').fill(hook.url);
  await form.getByLabel('Secret').fill(hook.secret);
  await form.getByRole('button', { name: 'Check and add' }).click();
  await form.waitFor({ state: 'detached' });
}

/** As the browser's clock has it, which is ours. */
function localTimeIn(ms: number): string {
  const at = new Date(Date.now() + ms);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}
