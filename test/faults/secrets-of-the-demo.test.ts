import { expect, it, onTestFinished } from 'vitest';
import { FACEBOOK, LINKEDIN, MASTODON, WEBHOOK_SECRET } from '../../demo/platforms/demo-platforms.js';
import { CRUNCHBASE_KEY } from '../../demo/search/company-search.js';
import { ask } from '../program/api-client.js';
import { entranceOf, startDemo } from '../program/demo-process.js';

const WAIT_OPTIONS = { timeout: 180_000, interval: 500 };
const PLACES = ['/api/v1/dead-letters?limit=100', '/api/v1/runs?limit=100', '/api/v1/health', '/metrics'];

it('a full run of the demo writes none of its secrets', async () => {
  const { demo } = startDemo(onTestFinished, { MILLRACE_LOG_LEVEL: 'debug', MILLRACE_LOG_FORMAT: 'json' });
  const { address, key } = await entranceOf(demo);
  const read = async (path: string) => (await ask(`${address}${path}`, { key })).text();
  const failed = async () => new Set((await read('/api/v1/dead-letters?limit=100')).match(/(?<="queue":")[\w-]+/g));
  const expected = ['import-feed', 'publish-mastodon', 'publish-webhook'];
  await expect
    .poll(async () => [...(await failed())].toSorted(), WAIT_OPTIONS)
    .toEqual(expect.arrayContaining(expected));
  const published = async () =>
    new Set((await read('/api/v1/publications?status=published')).match(/"platform":"\w+"/g));
  await expect.poll(async () => (await published()).size, WAIT_OPTIONS).toBe(4);

  const board = `/admin/queues/api/queues?activeQueue=publish-mastodon&page=1&jobsPerPage=100`;
  const written = await Promise.all([...PLACES, board].map(async (path) => [path, await read(path)] as const));
  await demo.end('SIGINT');
  const places = new Map([...written, ['log', demo.stdout + demo.stderr] as const]);
  const secrets = {
    'admin key': key,
    crunchbase: CRUNCHBASE_KEY,
    webhook: WEBHOOK_SECRET,
    facebook: FACEBOOK.accessToken,
    linkedin: LINKEDIN.accessToken,
    ...MASTODON,
  };
  expect(places.get('log')).toContain('"level":20');
  for (const [place, text] of places) {
    expect(text.length, place).toBeGreaterThan(100);
    const found = Object.entries(secrets).flatMap(([kind, secret]) => (text.includes(secret) ? kind : []));
    expect(found, place).toEqual([]);
  }
});
