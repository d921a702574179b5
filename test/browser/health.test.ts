import { expect, it } from 'vitest';
import { pageServer } from './page-server.js';
import { browser, signIn } from './visitor.js';

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
