import { expect, it, vi } from 'vitest';
import { testDatabase } from '../harness/database.js';
import { FeedSite } from '../harness/feed-site.js';
import { type Answer, startNameServer } from '../http/fake-name-server.js';
import { startImporting } from '../imports/importing.js';

const db = testDatabase();
const WAIT_OPTIONS = { timeout: 60_000, interval: 100 };
const DEAD = 2_000;
const GOOD = 10;
const KINDS: Record<string, Answer> = { silent: 'silent', servfail: 'servfail', missing: 'missing' };

it('fetches feeds at new names beside an import of 2,000 dead names, and reports the dead names', {
  timeout: 90_000,
}, async () => {
  const site = await FeedSite.start();
  const { server, asked } = await startNameServer((name) => KINDS[name.split('-')[0] ?? ''] ?? ['127.0.0.1']);
  const millrace = await startImporting(db.url, { dnsServers: [server] });
  const kinds = Object.keys(KINDS);
  const dead = Array.from({ length: DEAD }, (_, n) => `http://${kinds[n % kinds.length]}-${n}.example/feed`);
  const running = await millrace.as('importer').start(dead, { follow: true });
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(100), WAIT_OPTIONS);

  const reader = millrace.as('reader');
  const port = new URL(site.url('/')).port;
  for (let n = 0; n < GOOD; n += 1) {
    site.publish(`/feed-${n}`, { guid: `${n}`, title: `Post ${n}` });
    const externalId = `http://good-${n}.example:${port}/feed-${n}`;
    await reader.send('POST', '/sources/follow', { type: 'rss', externalId });
  }
  await vi.waitFor(async () => expect(await reader.titles()).toHaveLength(GOOD), WAIT_OPTIONS);
  expect(await millrace.as('importer').find(running.id)).toMatchObject({ status: 'running' });
  const { body } = await reader.send('GET', '/sources');
  expect(body.items.map(({ lastError }: { lastError: string | null }) => lastError)).toEqual(
    new Array(GOOD).fill(null),
  );

  await vi.waitFor(async () => {
    const ready = await millrace.send({ url: '/health/ready' });
    expect(ready.statusCode).toBe(200);
    expect(ready.json().warnings).toMatchObject([{ path: 'dns' }]);
    const health = await millrace.send({ url: '/api/v1/health', key: millrace.config.adminKey ?? '' });
    const alert = expect.objectContaining({ code: 'dns_slow', severity: 'warning' });
    expect(health.json().alerts).toContainEqual(alert);
  }, WAIT_OPTIONS);
  await millrace.as('importer').cancel(running.id);
});
