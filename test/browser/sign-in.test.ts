import type { Page, Request } from 'playwright-core';
import { expect, it } from 'vitest';
import { pageServer } from './page-server.js';
import { browser, signIn } from './visitor.js';

const chrome = browser();
const millrace = pageServer();
const REFUSED = /status of 401/;

it('signs in with the printed link, which works once, and lands in the feed', async () => {
  const page = await chrome.visit(millrace.address);
  await page.goto(millrace.signInLink);
  await page.getByRole('heading', { level: 1, name: 'Feed' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/feed');
  const second = await chrome.visit(millrace.address, { tolerates: REFUSED });
  await second.goto(millrace.signInLink);
  expect(await second.getByRole('alert').textContent()).toContain('used already');
});

it('asks for a key first, says when it is wrong, and comes back to where one wanted to go', async () => {
  const page = await chrome.visit(millrace.address, { tolerates: REFUSED });
  await page.goto('/sources');
  await page.getByLabel('Key').fill('mr_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  expect(await page.getByRole('alert').textContent()).toContain('unknown');
  await page.getByLabel('Key').fill(millrace.key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
});

it('signs out for good', async () => {
  // What the page asks in the moment of leaving is refused.
  const page = await chrome.visit(millrace.address, { tolerates: REFUSED });
  await signIn(page, millrace.key);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Key').waitFor();
  await page.goto('/feed');
  await page.getByLabel('Key').waitFor();
});

it("a user's key shows no dead letters and no health", async () => {
  const { key } = await millrace.api<{ key: string }>('/keys', { scope: 'user' });
  const page = await chrome.visit(millrace.address);
  await signIn(page, key);
  const names = await page.getByRole('navigation', { name: 'Views' }).getByRole('link').allTextContents();
  expect(names).toEqual(['Feed', 'Sources', 'Imports', 'Leads', 'Publish', 'Apps']);
});

it('loads less than 150 KB before the feed is shown', async () => {
  const page = await chrome.visit(millrace.address);
  await signIn(page, millrace.key, '/health');
  const sizes = await transferredBy(page, '/feed');
  expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThan(150_000);
});

/** What came over the wire for a page that nobody has in a cache, headers aside. */
async function transferredBy(page: Page, path: string): Promise<number[]> {
  const requests: Request[] = [];
  page.on('requestfinished', (request) => requests.push(request));
  const client = await page.context().newCDPSession(page);
  await client.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(path);
  await page.getByRole('heading', { level: 1, name: 'Feed' }).waitFor();
  const sizes = await Promise.all(requests.map((request) => request.sizes()));
  return sizes.map(({ responseBodySize }) => responseBodySize);
}
