import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Alert } from '../../src/operations/health/health-report.js';
import { Database } from '../../src/platform/database/database.js';
import { ScrapingModule } from '../../src/scraping/scraping.module.js';
import { testDatabase } from '../harness/database.js';
import { renderFeed } from '../harness/feed-site.js';
import { type Reader, startReader } from '../harness/reader.js';
import { FakeGoogleSearch } from '../platforms/fake-google-search.js';
import { adminKey } from '../publishing/publisher.js';
import { startWorld } from '../publishing/world.js';

const MINUTE_MS = 60_000;
const WAIT_OPTIONS = { timeout: 50_000, interval: 250 };
const EVERY_TEST = { timeout: 120_000 };
const [fetchingDatabase, hostsDatabase, publishingDatabase, searchingDatabase] = Array.from({ length: 4 }, () =>
  testDatabase(),
);

interface Watched {
  send: Reader['send'];
  key: string;
  /** Lets the clock keep up with real time, so that the health report is computed again. */
  keepUp(): void;
  pass(ms: number): Promise<void>;
}

const watching = ({ send, adminKey: key, clock }: Reader): Watched => ({
  send,
  key,
  keepUp: () => clock.advance(Math.max(2_100, Date.now() - clock.now().getTime())),
  pass: async (ms) => clock.advance(ms),
});

/** Alerts about failing work. */
async function alertsOf({
  send,
  key,
  keepUp,
}: Watched): Promise<Pick<Alert, 'code' | 'subject' | 'severity' | 'message'>[]> {
  keepUp();
  const { alerts } = (await send({ url: '/api/v1/health', key })).json<{ alerts: Alert[] }>();
  return alerts.filter(({ code }) => ['error_rate', 'target_failing', 'dead_letters_growing'].includes(code));
}

/** The alerts that are there once there are so many. */
const raised = (watched: Watched, count: number) =>
  vi.waitFor(async () => {
    const alerts = await alertsOf(watched);
    expect(alerts).toHaveLength(count);
    const byCode = alerts.toSorted((one, other) => one.code.localeCompare(other.code));
    return byCode.map(({ code, subject, severity, message }) => ({ code, subject, severity, message }));
  }, WAIT_OPTIONS);

/** Waits for one alert that is like this. What health reports first may rest on the first few runs only. */
const raisedLike = (watched: Watched, wanted: Partial<Alert>) =>
  vi.waitFor(async () => {
    expect(await alertsOf(watched)).toEqual([expect.objectContaining(wanted)]);
  }, WAIT_OPTIONS);

/** Two minutes after the last failure. */
async function expectCleared(watched: Watched): Promise<void> {
  await watched.pass(2 * MINUTE_MS);
  await vi.waitFor(async () => expect(await alertsOf(watched)).toEqual([]), WAIT_OPTIONS);
}

/** A site at every loopback address, each of which is a host of its own. While it is down, it breaks every connection. */
async function startSite(listener: RequestListener) {
  const site = { isDown: true, url: (host: number) => `http://127.0.1.${host}:${port}/feed-${host}` };
  const server = createServer(listener);
  server.on('connection', (socket: Socket) => site.isDown && socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const { port } = server.address() as AddressInfo;
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return site;
}

const feed: RequestListener = (_, response) =>
  void response
    .writeHead(200, { 'content-type': 'application/rss+xml' })
    .end(renderFeed('Feed', [{ guid: 'a', title: 'A' }]));

async function refreshAll(reader: Reader, sources: number): Promise<void> {
  reader.clock.advance(2 * MINUTE_MS);
  await reader.as('ann').send('POST', '/feed/refresh');
  const { db } = reader.app.get(Database);
  await vi.waitFor(async () => {
    const { rows } = await db.execute('SELECT FROM fetch_states WHERE failures = 0 AND last_success_at IS NOT NULL');
    expect(rows).toHaveLength(sources);
  }, WAIT_OPTIONS);
}

describe('health sees fetches that fail', () => {
  it('at one host: 30 of 30 are a warning that names it, until they succeed', EVERY_TEST, async () => {
    const failing = { now: true };
    const site = await startSite((request, response) =>
      failing.now ? void response.writeHead(404).end() : feed(request, response),
    );
    site.isDown = false;
    const reader = await startReader(fetchingDatabase?.url ?? '', { allowNetworks: ['127.0.0.0/8'] });
    const watched = watching(reader);
    const ann = reader.as('ann');
    await Promise.all(Array.from({ length: 30 }, (_, place) => ann.follow(`${site.url(1)}?${place}`)));
    const message = expect.stringContaining('at the host 127.0.1.1');
    await raisedLike(watched, { code: 'error_rate', subject: 'fetching', severity: 'warning', message });
    failing.now = false;
    await refreshAll(reader, 30);
    await expectCleared(watched);
  });

  it('at 30 hosts at once: that is critical and most likely our own network', EVERY_TEST, async () => {
    const site = await startSite(feed);
    const reader = await startReader(hostsDatabase?.url ?? '', { allowNetworks: ['127.0.0.0/8'] });
    const watched = watching(reader);
    const ann = reader.as('ann');
    await Promise.all(Array.from({ length: 30 }, (_, place) => ann.follow(site.url(place + 1))));
    const critical = () =>
      vi.waitFor(async () => {
        const [alert] = await alertsOf(watched);
        expect(alert).toMatchObject({ code: 'error_rate', subject: 'fetching', severity: 'critical' });
        return alert;
      }, WAIT_OPTIONS);
    expect((await critical())?.message).toContain('network and DNS');
    site.isDown = false;
    await vi.waitFor(async () => {
      const { rows } = await reader.app
        .get(Database)
        .db.execute("SELECT FROM fetch_states WHERE job_state = 'waiting'");
      expect(rows).toEqual([]);
    }, WAIT_OPTIONS);
    await refreshAll(reader, 30);
    await expectCleared(watched);
  });
});

it('health sees posts that fail: 40 of 40, and their dead letters, until they went out', EVERY_TEST, async () => {
  const { fake, anna, accountId, millrace } = await startWorld(publishingDatabase?.url ?? '', 'bluesky');
  const pass = (ms: number) => millrace.time.pass(ms);
  const watched = { send: millrace.send, key: adminKey, keepUp: () => undefined, pass };
  fake.refuse({ status: 400, body: { error: 'InvalidRequest', message: 'Record is not allowed' } });
  const posts = Array.from({ length: 40 }, (_, place) => ({ accountId, content: { text: `Post ${place}` } }));
  for (const post of posts) await anna.publish(post);
  await vi.waitFor(async () => {
    const { stats } = (await millrace.send({ url: '/api/v1/health', key: adminKey })).json();
    expect(stats.deadLetters.open).toBe(40);
  }, WAIT_OPTIONS);
  const alerts = await raised(watched, 2);
  expect(alerts).toMatchObject([
    { code: 'dead_letters_growing', message: expect.stringContaining('40 in publish-bluesky') },
    { code: 'error_rate', subject: 'publishing', message: expect.stringContaining('at the platform bluesky') },
  ]);
  fake.refusals.clear();
  const replay = { url: '/api/v1/dead-letters/replay', method: 'POST', payload: {}, key: adminKey } as const;
  expect((await millrace.send(replay)).statusCode).toBe(202);
  await vi.waitFor(async () => {
    const { stats } = (await millrace.send({ url: '/api/v1/health', key: adminKey })).json();
    expect(stats.publishing.publishedLastHour).toBe(40);
  }, WAIT_OPTIONS);
  await expectCleared(watched);
});

it('health sees searches that fail: 20 of 20, until one finds something', EVERY_TEST, async () => {
  const google = await new FakeGoogleSearch().start();
  google.results = [
    { title: 'Acme', link: 'https://www.acme.example/', displayLink: 'www.acme.example', snippet: 'A bakery' },
  ];
  google.refuses = { status: 400, body: { error: { code: 400, message: 'Bad request', status: 'INVALID_ARGUMENT' } } };
  const googleUrl = Object.assign(new URL(google.url), { hostname: '127.0.0.1' }).href;
  const reader = await startReader(searchingDatabase?.url ?? '', { ...google.config, googleUrl }, [ScrapingModule]);
  const watched = watching(reader);
  const ann = reader.as('ann');
  const search = async () => {
    const { body } = await ann.send('POST', '/jobs/scrape', {
      keywords: [],
      search_query: 'bakery',
      source_types: ['google'],
    });
    return body.id as string;
  };
  for (let count = 0; count < 20; count++) await search();
  const message = expect.stringContaining('at the source type google');
  await raisedLike(watched, { code: 'error_rate', subject: 'scraping', severity: 'warning', message });
  google.refuses = undefined;
  const id = await search();
  await vi.waitFor(async () => {
    expect((await ann.send('GET', `/jobs/scrape/${id}`)).body.status).toBe('completed');
  }, WAIT_OPTIONS);
  await expectCleared(watched);
});
