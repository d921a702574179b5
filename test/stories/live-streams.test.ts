import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { ImportsModule } from '../../src/imports/imports.module.js';
import { PublishingModule } from '../../src/publishing/publishing.module.js';
import { ScrapingModule } from '../../src/scraping/scraping.module.js';
import { EventSource } from '../feeds/event-source.js';
import { testDatabase } from '../harness/database.js';
import { openReader } from '../harness/reader.js';

const WAIT_OPTIONS = { timeout: 20_000, interval: 50 };
const db = testDatabase();

/** A process that only answers requests: the import and the job stay as they are. */
const start = () => openReader(db.url, { roles: new Set(['api']) }, [ImportsModule, ScrapingModule, PublishingModule]);

interface View {
  name: string;
  max: number;
  retryAfter: string;
  refusal: string;
  /** Events that a new stream begins with. */
  first: string[];
  path(): string;
}

let reader: Awaited<ReturnType<typeof start>>;
let adminKey: string;
let importId: string;
let jobId: string;

beforeAll(async () => {
  reader = await start();
  adminKey = reader.config.adminKey ?? '';
  await reader.app.listen({ host: '127.0.0.1', port: 0 });
  const ann = reader.as('ann');
  importId = (await ann.send('POST', '/imports/start', { feeds: ['https://example.org/feed.xml'] })).body.id;
  jobId = (
    await ann.send('POST', '/jobs/scrape', { source_types: ['web'], filters: { sites: ['https://example.org/'] } })
  ).body.id;
  expect([importId, jobId]).toEqual([expect.any(String), expect.any(String)]);
  return () => reader.stop();
});

const VIEWS: View[] = [
  {
    name: 'feed',
    max: 20,
    retryAfter: '15',
    refusal: 'You may have 20 streams open at a time.',
    first: [],
    path: () => '/feed/stream',
  },
  {
    name: 'publications',
    max: 20,
    retryAfter: '15',
    refusal: 'You may have 20 streams open at a time.',
    first: ['reset'],
    path: () => '/publications/stream',
  },
  {
    name: 'import',
    max: 20,
    retryAfter: '15',
    refusal: 'You may watch 20 imports at a time.',
    first: ['import'],
    path: () => `/imports/${importId}/stream`,
  },
  {
    name: 'scrape job',
    max: 20,
    retryAfter: '15',
    refusal: 'You may watch 20 jobs at a time.',
    first: ['job'],
    path: () => `/jobs/scrape/${jobId}/stream`,
  },
  {
    name: 'health',
    max: 100,
    retryAfter: '5',
    refusal: '100 streams are open already; close one of them.',
    first: ['health'],
    path: () => '/health/stream',
  },
];

/** Health is for admins, who do not act for a user. */
const headersOf = ({ name }: View, key: string): Record<string, string> =>
  name === 'health' ? { authorization: `Bearer ${key}` } : { authorization: `Bearer ${key}`, 'x-millrace-user': 'ann' };

const open = async (view: View, key: string, on = reader) =>
  EventSource.open(`${await on.app.getUrl()}/api/v1${view.path()}`, headersOf(view, key));

/** Streams of the tests before may still be closing. */
async function openWhenFree(view: View, key: string): Promise<EventSource> {
  for (;;) {
    const stream = await open(view, key);
    if (stream.response.statusCode !== 429) return stream;
  }
}

it.each(VIEWS)('the stream of the $name begins with its state and is limited in number', async (view) => {
  const streams = await Promise.all(Array.from({ length: view.max }, () => open(view, adminKey)));
  expect(new Set(streams.map(({ response }) => response.statusCode))).toEqual(new Set([200]));
  for (const { told } of streams)
    await expect.poll(() => told.slice(0, 1).map(({ event }) => event), WAIT_OPTIONS).toEqual(view.first);
  const refused = await reader.send({ url: `/api/v1${view.path()}`, headers: headersOf(view, adminKey) });
  expect(refused.statusCode).toBe(429);
  expect(refused.headers['retry-after']).toBe(view.retryAfter);
  expect(refused.json()).toMatchObject({ code: 'rate_limited', detail: view.refusal });
});

it('all streams end when their key is revoked, and no others', async () => {
  const asAdmin = { key: adminKey, url: '/api/v1/keys' };
  const { id, key } = (await reader.send({ ...asAdmin, method: 'POST', payload: { scope: 'admin' } })).json();
  const streams = await Promise.all(VIEWS.map((view) => openWhenFree(view, key)));
  const others = await Promise.all(VIEWS.map((view) => openWhenFree(view, adminKey)));
  await reader.send({ method: 'DELETE', url: `/api/v1/keys/${id}`, key: adminKey });
  for (const stream of streams) await expect.poll(() => stream.ended, WAIT_OPTIONS).toBe(true);
  expect(others.map(({ response, ended }) => [response.statusCode, ended])).toEqual(VIEWS.map(() => [200, false]));
});

it('all streams end when the process stops', async () => {
  const other = await start();
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= other.stop());
  onTestFinished(stop);
  await other.app.listen({ host: '127.0.0.1', port: 0 });
  const streams = await Promise.all(VIEWS.map((view) => open(view, adminKey, other)));
  expect(streams.map(({ response }) => response.statusCode)).toEqual(VIEWS.map(() => 200));
  await stop();
  for (const stream of streams) await expect.poll(() => stream.ended, WAIT_OPTIONS).toBe(true);
});
