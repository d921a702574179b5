import { expect, it } from 'vitest';
import { pageServer } from './page-server.js';
import { accessibilityProblems, browser, signIn } from './visitor.js';

const chrome = browser();
const millrace = pageServer();

it('shows health turn from green to a warning and back, while one looks', async () => {
  const page = await chrome.visit(millrace.address);
  await signIn(page, millrace.key, '/health');
  const status = page.getByRole('region', { name: /healthy|warning|critical/ });
  await status.getByText('healthy', { exact: true }).waitFor({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Pause fetch-rss', exact: true }).click();
  await status.getByText('warning', { exact: true }).first().waitFor();
  expect(await status.textContent()).toContain('fetch-rss');
  await page.getByRole('button', { name: 'Resume fetch-rss', exact: true }).click();
  await status.getByText('healthy', { exact: true }).waitFor({ timeout: 30_000 });
  await page
    .getByRole('figure', { name: /throughput|jobs/i })
    .first()
    .waitFor();
});

it('shows what failed and why, and what a queue did last', async () => {
  await millrace.api('/imports/start', { feeds: ['http://127.0.0.1:2/none'] });
  const page = await chrome.visit(millrace.address);
  await signIn(page, millrace.key, '/health');
  const runs = page.getByRole('region', { name: 'Runs', exact: true });
  const failed = runs.getByRole('listitem').filter({ hasText: 'import-feed' }).filter({ hasText: '127.0.0.1' });
  await failed.first().waitFor({ timeout: 30_000 });
  await page.getByRole('row', { name: /^import-feed .* ago/ }).waitFor({ timeout: 30_000 });
  await page.getByRole('link', { name: 'import-feed', exact: true }).click();
  await expect.poll(() => new URL(page.url()).search).toBe('?runs=all&queue=import-feed');
  await failed.first().waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
});
