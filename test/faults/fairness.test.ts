import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newDataFolder } from '../harness/data-folder.js';
import { redisUrl } from '../harness/redis.js';
import { ask } from '../program/api-client.js';
import { startMillrace } from '../program/millrace-process.js';
import { newDatabase } from '../program/new-database.js';

const KEY = 'an-admin-key-for-fairness-only';
/** How long Ann's requests take at the site (ms). */
const SLOW_MS = 5_000;
/** What the issue allows a single job to wait behind another user's thousand (ms). */
const MAX_START_MS = 5_000;
/** What the issue allows one user to delay another (ms). */
const MAX_DELAY_MS = 1_000;
const TRIES = 5;
const MINUTE_MS = 60_000;
/** A maximum delay of a minute, a tenth of random delay, and a few seconds for the scheduler and the queue (ms). */
const MAX_GAP_MS = 72_000;
const redis = redisUrl();

describe.each([
  ['PostgreSQL', undefined],
  ['Redis', redis],
])('queues on %s', (queue, redis) => {
  it("a user's single job starts soon behind another user's thousand in each queue", {
    timeout: 900_000,
  }, async () => {
    const { ann, bob, site, sql } = await startWorld(redis);
    const annsPaths = Array.from({ length: 1_000 }, (_, at) => `/ann/${at}`);
    await ann.post('/imports/start', { feeds: annsPaths.map(site.url) });
    const annsAccount = await ann.account(site.url('/ann/hook'));
    await inParallel(annsPaths, async (path) => {
      await ann.post('/sources/follow', { type: 'rss', externalId: site.url(path) });
      await ann.post('/jobs/scrape', searchOf(site.url(path)));
      await ann.post('/publications', { accountId: annsAccount, content: { text: path } });
    });
    const bobsAccount = await bob.account(site.url('/bob/hook'));

    const waited = {
      follow: await site.seen('/bob/followed', () =>
        bob.post('/sources/follow', { type: 'rss', externalId: site.url('/bob/followed') }),
      ),
      import: await site.seen('/bob/imported', () =>
        bob.post('/imports/start', { feeds: [site.url('/bob/imported')] }),
      ),
      post: await site.seen('/bob/hook', () =>
        bob.post('/publications', { accountId: bobsAccount, content: { text: 'Hello' } }),
      ),
      scrape: await scrapeStart(sql, await bob.post('/jobs/scrape', searchOf(site.url('/bob')))),
    };
    print(`waits behind a thousand jobs, ${queue}`, waited);
    for (const ms of Object.values(waited)) expect(ms).toBeLessThan(MAX_START_MS);
  });

  it('a user with 100,000 follows, ten imports of 100,000 feeds and 1,000 streams does not delay another user', {
    timeout: 1_800_000,
  }, async () => {
    const { address, ann, bob, site, sql } = await startWorld(redis);
    const bobsAccount = await bob.account(site.url('/bob/hook'));
    const sources: string[] = [];
    for (let at = 0; at < TRIES; at++) {
      const source = { type: 'rss', externalId: site.url(`/bob/${at}`) };
      // A source that is being fetched is not fetched again for a refresh.
      await site.seen(`/bob/${at}`, async () => sources.push((await bob.post('/sources/follow', source)).id));
    }
    const measure = async (name: string) => {
      const waits: Record<'refresh' | 'import' | 'post', number[]> = { refresh: [], import: [], post: [] };
      for (let at = 0; at < TRIES; at++) {
        await sleep(3_000);
        const refresh = () => bob.post('/feed/refresh', { source: sources[at] });
        waits.refresh.push(await site.seen(`/bob/${at}`, refresh));
        const path = `/bob/imported/${encodeURIComponent(name)}/${at}`;
        waits.import.push(await site.seen(path, () => bob.post('/imports/start', { feeds: [site.url(path)] })));
        const post = { accountId: bobsAccount, content: { text: `${name} ${at}` } };
        waits.post.push(await site.seen('/bob/hook', () => bob.post('/publications', post)));
      }
      print(`${name}, ${queue}`, { ...waits, answers: site.answers.splice(0) });
      return { refresh: median(waits.refresh), import: median(waits.import), post: median(waits.post) };
    };
    site.answers.splice(0);
    const alone = await measure('alone');

    await seedFollows(sql, await ann.id(sql), site.url('/quick/'));
    const streams = await openStreams(address, 1_000);
    const refreshing = ann.post('/feed/refresh', {});
    const importing = startImports(ann, site.url('/quick/'));
    const besideAnn = await measure('while Ann starts');
    await Promise.all([refreshing, importing]);
    const later = await measure('while Ann imports');
    streams.abort();
    for (const beside of [besideAnn, later])
      for (const work of ['refresh', 'import', 'post'] as const)
        expect(beside[work] - alone[work]).toBeLessThan(MAX_DELAY_MS);
  });
});

it('400 slow feeds do not delay feeds with a maximum delay of a minute', { timeout: 900_000 }, async () => {
  const { ann, bob, site } = await startWorld(undefined);
  const paths = (name: string, count: number) => Array.from({ length: count }, (_, at) => `/${name}/${at}`);
  const follow = (who: Person) => async (path: string) => {
    await who.post('/sources/follow', { type: 'rss', externalId: site.url(path), maxDelayMinutes: 1 });
  };
  const quick = paths('bob', 50);
  await inParallel(paths('ann', 400), follow(ann));
  await inParallel(quick, follow(bob));
  // Whether a source is slow shows with its first fetch.
  await sleep(2 * MINUTE_MS);
  const fromMs = performance.now();
  await sleep(5 * MINUTE_MS);
  const gaps = quick.flatMap((path) => {
    const times = (site.times.get(path) ?? []).filter((at) => at > fromMs);
    return times.slice(1).map((at, before) => Math.round(at - (times[before] ?? at)));
  });
  print('between two fetches of a quick source', { max: Math.max(...gaps), median: median(gaps), count: gaps.length });
  expect(gaps.length).toBeGreaterThan(3 * quick.length);
  expect(Math.max(...gaps)).toBeLessThan(MAX_GAP_MS);
});

async function startWorld(redis: string | undefined) {
  const databaseUrl = await newDatabase();
  const site = await startSite();
  const environment = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis ?? '',
    MILLRACE_ADMIN_KEY: KEY,
    PORT: '0',
    MILLRACE_SECRET_KEYS: 'a-secret-key-for-fairness-only-of-32-characters',
    MILLRACE_ALLOW_NETWORKS: '127.0.0.1',
    MILLRACE_HOST_CONCURRENCY: '100',
    MILLRACE_REQUESTS_PER_MINUTE: '1000000',
    MILLRACE_MIN_INTERVAL: '1s',
  };
  const start = (roles: string) =>
    startMillrace({ ...environment, MILLRACE_DATA_DIR: newDataFolder(), MILLRACE_ROLES: roles });
  const address = await start('api,scheduler').address();
  await start('worker').printed(/"running"/);
  const sql = new pg.Client(databaseUrl);
  await sql.connect();
  onTestFinished(() => sql.end());
  return { address, site, sql, ann: new Person(address, 'ann'), bob: new Person(address, 'bob') };
}

class Person {
  constructor(
    private readonly address: string,
    private readonly name: string,
  ) {}

  async post(path: string, body: object): Promise<{ id: string }> {
    const answer = await ask(`${this.address}/api/v1${path}`, { key: KEY, user: this.name, body });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { id: string };
  }

  async account(url: string): Promise<string> {
    const credentials = { url, secret: 'a secret "1"' };
    return (await this.post('/accounts', { name: 'mine', platform: 'webhook', credentials })).id;
  }

  async id(sql: pg.Client): Promise<string> {
    await (await ask(`${this.address}/api/v1/sources`, { key: KEY, user: this.name })).text();
    const { rows } = await sql.query('SELECT id FROM users WHERE external_id = $1', [this.name]);
    return rows[0].id;
  }
}

/** Answers Ann's slow paths late and all others at once, and records when each path was asked for. */
async function startSite() {
  const waiting = new Map<string, () => void>();
  const times = new Map<string, number[]>();
  /** How long the requests took that led to what was waited for (ms). */
  const answers: number[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    request.resume();
    waiting.get(path)?.();
    times.set(path, [...(times.get(path) ?? []), performance.now()]);
    const answer = () => response.writeHead(200, { 'content-type': 'application/rss+xml' }).end(feedOf(path));
    if (path.startsWith('/ann/') && request.method === 'GET') setTimeout(answer, SLOW_MS);
    else if (path === '/ann/hook') setTimeout(answer, 1_000);
    else answer();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  /** How long it takes from the beginning of `act` until the path is asked for (ms). */
  const seen = async (path: string, act: () => Promise<unknown>): Promise<number> => {
    const begunMs = performance.now();
    const asked = new Promise<number>((resolve) => waiting.set(path, () => resolve(performance.now() - begunMs)));
    await act();
    answers.push(Math.round(performance.now() - begunMs));
    const ms = await asked;
    waiting.delete(path);
    return Math.round(ms);
  };
  return { url, seen, times, answers };
}

const feedOf = (path: string) =>
  `<rss version="2.0"><channel><title>${path}</title><item><guid>${path}</guid><title>${path}</title></item></channel></rss>`;

const searchOf = (site: string) => ({ keywords: ['any'], source_types: ['web'], filters: { sites: [site] } });

/** From the request until a worker has begun with it (ms). */
async function scrapeStart(sql: pg.Client, { id }: { id: string }): Promise<number> {
  for (;;) {
    const { rows } = await sql.query(
      `SELECT date_part('epoch', started_at - created_at) * 1000 AS ms FROM scrape_jobs WHERE job_id = $1`,
      [id],
    );
    if (rows[0]?.ms != null) return Math.round(rows[0].ms);
    await sleep(50);
  }
}

async function seedFollows(sql: pg.Client, userId: string, prefix: string): Promise<void> {
  await sql.query(
    `WITH made AS (
      INSERT INTO sources (type, external_id, followers) SELECT 'rss', $1 || n, 1 FROM generate_series(1, 100000) AS n
      RETURNING id
    ), states AS (
      INSERT INTO fetch_states (id, type, active_followers, job_state, last_fetch_at, last_success_at, next_fetch_at)
      SELECT id, 'rss', 1, 'done', now() - interval '1 hour', now() - interval '1 hour', now() + interval '1 day' FROM made
      RETURNING id
    ) INSERT INTO follows (user_id, source_id) SELECT $2, id FROM states`,
    [prefix, userId],
  );
}

async function startImports(who: Person, prefix: string): Promise<void> {
  for (let list = 0; list < 10; list++) {
    const feeds = Array.from({ length: 100_000 }, (_, at) => `${prefix}${list}/${at}`);
    await who.post('/imports/start', { feeds });
  }
}

/** Ten at a time. All but a few are refused. */
async function openStreams(address: string, count: number): Promise<AbortController> {
  const all = new AbortController();
  const headers = { authorization: `Bearer ${KEY}`, 'x-millrace-user': 'ann' };
  await inParallel(Array.from({ length: count }), async () => {
    const answer = await fetch(`${address}/api/v1/feed/stream`, { headers, signal: all.signal });
    if (!answer.ok) await answer.body?.cancel();
  });
  return all;
}

async function inParallel<T>(list: T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = list.values();
  const workers = Array.from({ length: 10 }, async () => {
    for (const one of left) await work(one);
  });
  await Promise.all(workers);
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

function print(what: string, figures: object): void {
  process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`);
}
