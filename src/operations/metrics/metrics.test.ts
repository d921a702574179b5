import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventSource } from '../../../test/feeds/event-source.js';
import { WorkerProcess } from '../../../test/fetching/worker-process.js';
import { testDatabase } from '../../../test/harness/database.js';
import { FeedSite } from '../../../test/harness/feed-site.js';
import { ownRabbitmq } from '../../../test/harness/rabbitmq.js';
import { ownRedis } from '../../../test/harness/redis.js';
import { startSite } from '../../../test/harness/site.js';
import { startMetricsWorld } from '../../../test/metrics/metrics-world.js';
import { moveMessages } from '../../../test/metrics/moved-messages.js';
import type { Metric, MovedMetrics } from '../../../test/metrics/moved-metrics.js';
import { pretendedHub } from '../../../test/metrics/pretended-hub.js';
import { strainsOn } from '../../../test/metrics/strained-process.js';
import { startPlace } from '../../../test/publishing/fake-platforms.js';
import { noteJob } from '../../../test/queue/tasks.js';
import { finding } from '../../../test/scraping/searching.js';
import { TestWorker } from '../../../test/workers/test-worker.js';
import { WorkerRpc } from '../../platform/broker/worker-rpc.js';
import { Cache } from '../../platform/cache/cache.js';
import { Database } from '../../platform/database/database.js';
import { HttpClient } from '../../platform/http/http-client.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import { WorkerPools } from '../../platform/jobs/process-pools.js';
import { VERSION } from '../../platform/process/version.js';
import { Canaries } from '../canaries/canaries.js';
import { workers } from '../workers/workers.table.js';

const given = testDatabase();
const redis = ownRedis();
const rabbitmq = ownRabbitmq({ withManagement: true });
let world: Awaited<ReturnType<typeof startMetricsWorld>>;

beforeAll(async () => {
  world = await startMetricsWorld({ databaseUrl: given.url, redisUrl: redis.url, rabbitmq });
});
afterAll(() => world?.stop());

const moves: MovedMetrics['moves'] = (...given) => world.metrics.moves(...given);
const part = <T>(type: abstract new (...given: never[]) => T): T => world.app.get(type);

it('what is counted begins with 0 for every queue, type of source, scraper and platform', async () => {
  const text = await world.metrics.read();
  const counters: Metric[] = [
    ['jobs_total', { queue: 'import-feed', outcome: 'failed' }],
    ['job_duration_seconds', { queue: 'import-feed' }],
    ['fetches_total', { type: 'far', outcome: 'new' }],
    ['posts_found_total', { type: 'bluesky' }],
    ['fetch_delay_seconds', { type: 'rss' }],
    ['leads_found_total', { type: 'finder' }],
    ['publications_total', { platform: 'linkedin', outcome: 'unknown' }],
    ['publish_lateness_seconds', { platform: 'linkedin' }],
    ['alerts', { code: 'queue_backlog', severity: 'warning' }],
  ];
  for (const [name, labels] of counters) expect(text.value(`millrace_${name}`, labels), name).toBe(0);
});

describe('what a process counts of its jobs', () => {
  const queue = 'task';

  it('is how runs end, how long they take and how long they had waited', async () => {
    const ended = (outcome: string): Metric => ['millrace_jobs_total', { queue, outcome }, 1];
    const times: Metric[] = [
      ['millrace_job_duration_seconds', { queue }, 1],
      ['millrace_job_wait_seconds', { queue }, 1],
    ];
    await moves([ended('done'), ...times], () => world.runTask('ok'));
    await moves([ended('retried')], () => world.runTask('fail-first 1'));
    await moves([ended('failed')], () => world.runTask('give-up'));
  });

  it('is how large its pools are, and how busy', async () => {
    const pool = part(WorkerPools).pool(queue);
    if (!pool) throw new Error('there is no pool of tasks');
    const grow = () => {
      pool.concurrency += 3;
    };
    await moves([['millrace_pool_size', { queue }, 3]], grow);
    await moves([['millrace_pool_busy', { queue }, 1]], () => world.runTask('sleep 1000'));
  });
});

describe('what a process counts of its fetches', () => {
  const type = 'rss';
  const outcome = (outcome: string): Metric => ['millrace_fetches_total', { type, outcome }];
  const saved = (reason: string): Metric => ['millrace_requests_saved_total', { reason }];

  it('is what comes of them, how long posts had been out, and what was saved', async () => {
    const site = await FeedSite.start();
    const url = site.url('/feed');
    site.publish('/feed', { guid: '1', title: 'One' });
    let id = '';
    await moves([outcome('new'), ['millrace_posts_found_total', { type }, 1]], async () => {
      id = await world.follow(url);
    });
    const fetch = () => new WorkerProcess(world).fetch(id);
    await moves([outcome('not_modified'), saved('not_modified')], fetch);
    site.on('/feed', (_, response) => response.end(site.render('/feed')?.body));
    await moves([outcome('unchanged')], fetch);
    site.repair('/feed');
    site.publish('/feed', { guid: '2', title: 'Two', publishedAt: new Date(Date.now() + 2_000) });
    world.metrics.later(5_000);
    await moves([outcome('new'), ['millrace_fetch_delay_seconds', { type }]], fetch);
    site.on('/feed', (_, response) => response.writeHead(500).end());
    await moves([outcome('failed')], fetch);
    await world.follow(url, { user: 'bob' });
    await moves([saved('shared')], fetch);
  }, 60_000);

  it('is that one had to wait, because no worker was there', async () => {
    const far = { type: 'far', outcome: 'postponed' };
    await moves([['millrace_fetches_total', far]], () => world.follow('somebody', { type: 'far' }));
  });
});

it('what hubs push is counted by what comes of it, and subscriptions by their state', async () => {
  const site = await FeedSite.start();
  site.publish('/feed', { guid: '1', title: 'One' });
  let sourceId = '';
  await moves([['millrace_posts_found_total', { type: 'rss' }, 1]], async () => {
    sourceId = await world.follow(site.url('/feed'));
  });
  const hub = await pretendedHub(world, { sourceId, topic: site.url('/feed') });
  const came = (outcome: string): Metric => ['millrace_pushes_total', { outcome }, 1];
  await moves([['millrace_websub_subscriptions', { state: 'asked' }, 1]], () => hub.begin());
  site.publish('/feed', { guid: '2', title: 'Two' });
  const body = site.render('/feed')?.body ?? '';
  await moves([came('new'), ['millrace_posts_found_total', { type: 'rss' }, 1]], () => hub.push({ body }));
  await moves([came('known')], () => hub.push({ body }));
  await moves([came('thin')], () => hub.push({ body: 'news!' }));
  await moves([came('unsigned')], () => hub.push({ body, secret: 'guessed' }));
  await moves([came('other_topic')], () => hub.push({ body, self: 'https://another.example/' }));
  await moves([came('unknown')], () => hub.push({ body, token: 'unknown' }));
});

it('requests to other servers are counted by their answers', async () => {
  const site = await startSite(({ url = '' }, response) => {
    const status = Number(url.slice(1));
    response.writeHead(status, status === 301 ? { location: '/200' } : {}).end();
  });
  const http = part(HttpClient);
  const get = (path: string) => http.get(site.url(path, '127.0.0.1'), { asAccount: true });
  const results = { '2xx': 2, '304': 1, '3xx': 1, '4xx': 1, '429': 1, '5xx': 1, error: 1 };
  const all = Object.entries(results).map(
    ([result, by]): Metric => ['millrace_outgoing_requests_total', { result }, by],
  );
  await moves(all, async () => {
    for (const path of ['/200', '/301', '/304', '/404', '/429', '/500']) await get(path);
    await expect(http.get('http://127.0.0.1:2/', { asAccount: true })).rejects.toThrow();
  });
});

it('reads of cached values are counted by whether there was one', async () => {
  const cache = part(Cache);
  const read = () => cache.read('a key', { isGood: () => true, build: async () => 'a value' });
  // Other components read from the cache as well.
  const result = (result: string): Metric => ['millrace_cache_reads_total', { result }];
  await moves([result('miss'), result('shared'), result('hit')], async () => {
    await Promise.all([read(), read(), read()]);
    await read();
  });
});

describe('calls to workers', () => {
  const queue = 'fetch.far';
  const timed = (outcome: string): Metric => ['millrace_rpc_duration_seconds', { queue, outcome }];
  const dropped = (reason: string): Metric => ['millrace_rpc_answers_dropped_total', { reason }];
  const call = (timeoutMs = 10_000, signal = new AbortController().signal) =>
    part(WorkerRpc).call(queue, {}, { id: randomUUID(), timeoutMs, signal });

  it('are timed by how they end, and answers that nobody waits for are counted', async () => {
    await moves([timed('no_worker')], () => expect(call()).rejects.toThrow());
    const worker = await TestWorker.on(rabbitmq.url, queue, async (_, message) => {
      if (message.expiration === '10000' || Number(message.expiration) > 1_000) await worker.reply(message, {});
      else await new Promise((resolve) => setTimeout(resolve, 500));
      return {};
    });
    await moves([timed('answered'), dropped('unknown')], () => call());
    await moves([timed('timeout'), dropped('late')], () => expect(call(200)).rejects.toThrow());
    await moves([timed('aborted')], () => expect(call(900, AbortSignal.timeout(50))).rejects.toThrow());
  });
});

it('leads are counted when they are new', async () => {
  const leads: Metric = ['millrace_leads_found_total', { type: 'finder' }, 2];
  await TestWorker.on(rabbitmq.url, 'scrape.finder', (command) => finding(['Acme', 'Bolt'])(command as never));
  const search = () => world.send('POST', '/jobs/scrape', { source_types: ['finder'], search_query: 'x' });
  await moves([leads], search);
});

it('items of imports are counted by what becomes of them', async () => {
  const site = await FeedSite.start();
  site.show('/feed', [{ guid: 'a', title: 'A' }, { guid: 'b', title: 'B' }, { xml: '<item></item>' }]);
  const outcome = (outcome: string, by: number): Metric => ['millrace_import_items_total', { outcome }, by];
  const start = () => world.send('POST', '/imports/start', { feeds: [site.url('/feed')] });
  await moves([outcome('new', 2), outcome('failed', 1)], start);
  await moves([outcome('unchanged', 2)], start);
});

describe('publications', () => {
  const platform = 'webhook';
  const ended = (outcome: string): Metric => ['millrace_publications_total', { platform, outcome }, 1];

  async function start() {
    const { fake, given } = await startPlace(platform);
    fake.now = () => world.clock.now();
    const { id: accountId } = await world.send('POST', '/accounts', { name: 'mine', ...given });
    const publish = (more: object = {}) =>
      world.send('POST', '/publications', { accountId, content: { text: randomUUID() }, ...more });
    return { fake, publish };
  }

  it('are counted by outcome, with their lateness and the capacity that they leave', async () => {
    const { fake, publish } = await start();
    const lateness: Metric = ['millrace_publish_lateness_seconds', { platform }, 1];
    const room: Metric = ['millrace_platform_capacity', { platform }, -1];
    await moves([ended('published'), lateness, room], () => publish());
    expect((await world.metrics.read()).value('millrace_platform_limit', { platform })).toBe(50);
    world.metrics.moved.add('millrace_platform_limit');
    fake.plan('drops before');
    await moves([ended('unknown')], async () => {
      await publish();
      await expect.poll(() => fake.calls.length, { timeout: 20_000 }).toBeGreaterThan(2);
      fake.refuse({ status: 400, body: { message: 'no' } });
      world.metrics.later(120_000);
    });
    const dead: Metric = ['millrace_platform_publications', { platform, state: 'dead' }, 1];
    await moves([ended('failed'), dead, ['millrace_publishing_success_rate']], () => publish());
    const inHours = (hours: number) => new Date(world.clock.now().getTime() + hours * 3_600_000).toISOString();
    await moves([ended('expired')], async () => {
      await publish({ scheduledAt: inHours(1), expiresAt: inHours(2) });
      world.metrics.later(3 * 3_600_000);
    });
  }, 60_000);

  it('are counted while they are due and not out', async () => {
    const { publish } = await start();
    await world.admin(`/queues/publish-${platform}/pause`);
    await moves([['millrace_publications_due'], ['millrace_publications_oldest_due_seconds']], () => publish());
    await moves([['millrace_publications_due']], () => world.admin(`/queues/publish-${platform}/resume`));
  });
});

it('requests to the API are timed by their answer, and streams are not', async () => {
  const name = 'millrace_api_request_duration_seconds';
  const ok = { method: 'GET', status: '2xx' };
  await moves([[name, ok, 1]], () => world.send('GET', '/feed'));
  await moves([[name, { method: 'POST', status: '4xx' }]], () => world.admin('/queues/none/pause'));
  await world.app.listen({ host: '127.0.0.1', port: 0 });
  const headers = { authorization: `Bearer ${world.adminKey}` };
  const before = (await world.metrics.read()).value(name, ok);
  const stream = await EventSource.open(`${await world.app.getUrl()}/api/v1/health/stream`, headers);
  stream.response.destroy();
  await fetch(`${await world.app.getUrl()}/api/v1/feed`, { headers });
  await expect.poll(async () => (await world.metrics.read()).value(name, ok)).toBe((before ?? 0) + 1);
});

it('connections to the database are counted by what they do', async () => {
  const { pool } = part(Database);
  const busy: Metric = ['millrace_database_connections', { state: 'busy' }];
  const held: PoolClient[] = [];
  await moves([busy], async () => {
    for (let client = 0; client < 5; client++) held.push(await pool.connect());
  });
  await moves([busy], () => held.map((client) => client.release()));
});

it('the clock, the event loop and the memory of the process are watched', async () => {
  const { shiftClock, stall, fillHeap, freeHeap } = strainsOn(world.app);
  await moves([['millrace_clock_skew_seconds']], shiftClock);
  await moves([['millrace_event_loop_max_stall_seconds']], stall);
  await moves([['millrace_heap_used_ratio'], ['millrace_memory_low']], fillHeap);
  await moves([['millrace_memory_low']], freeHeap);
});

describe('metrics of the fleet', () => {
  it('is what lies in the queues, and whether they are paused', async () => {
    const queue = 'note';
    const notes = [{ key: 'a', data: { text: 'x', fails: false } }];
    const paused: Metric[] = [
      ['millrace_queue_paused', { queue }],
      ['millrace_alerts', { code: 'queue_paused', severity: 'warning' }],
    ];
    await moves(paused, () => world.admin('/queues/note/pause'));
    const waiting = { queue, state: 'waiting' };
    await moves(
      [
        ['millrace_queue_jobs', waiting],
        ['millrace_queue_oldest_waiting_seconds', { queue }],
      ],
      async () => {
        await part(Jobs).enqueue(noteJob, notes);
      },
    );
    await moves(paused, () => world.admin('/queues/note/resume'));
    await moves([['millrace_queue_jobs', { queue: 'task', state: 'active' }]], () => world.runTask('sleep 1000'));
  });

  it(
    'is what lies in the queues of RabbitMQ, how fast it moves, and who consumes it',
    () => moveMessages(world, rabbitmq.url),
    60_000,
  );

  it('is when canaries came back, and how long they took', async () => {
    const hourAgo = sql`now() - interval '1 hour'`;
    await given.database.db.execute(sql`
      UPDATE canaries SET sent_at = ${hourAgo}, returned_at = ${hourAgo}, round_trip_ms = 3600000, waiting_since = NULL`);
    const told = ['task', 'rabbitmq'].flatMap((queue): Metric[] => [
      ['millrace_canary_age_seconds', { queue }],
      ['millrace_canary_round_trip_seconds', { queue }],
    ]);
    await moves(told, () => part(Canaries).send());
    const now = await world.metrics.read();
    for (const [name, labels] of told) expect(now.value(name, labels), name).toBeLessThan(3_000);
  });

  it('is how many processes run jobs', async () => {
    const gone = { id: 'silent', host: 'away', pid: 1, roles: ['worker'], version: '0', running: [] };
    const lastSeenAt = sql`now() - interval '31 seconds'`;
    await given.database.db.execute(sql`UPDATE workers SET started_at = now() - interval '1 hour'`);
    const dies = () => given.database.db.insert(workers).values({ ...gone, lastSeenAt });
    await moves([['millrace_workers', { state: 'expected' }, 1]], dies);
    await given.database.db.execute(sql`DELETE FROM workers WHERE host = 'away'`);
  });

  it('is how sources are', async () => {
    const { db } = given.database;
    await moves([['millrace_sources', { state: 'active' }]], () => world.follow('https://example.org/active'));
    const vanish = sql`UPDATE fetch_states SET gone_at = now()`;
    await moves([['millrace_sources', { state: 'gone' }]], () => db.execute(vanish));
    const overdue = sql`
      UPDATE fetch_states SET gone_at = NULL, next_fetch_at = 'epoch', interval_seconds = 60, job_state = 'waiting'`;
    await moves([['millrace_sources_stale']], () => db.execute(overdue));
  });

  it('is how fresh posts are, and what that may cost', async () => {
    const { db } = given.database;
    const site = await FeedSite.start();
    const fresh: Metric[] = [['millrace_fetches_per_hour'], ['millrace_freshness_delay_seconds', { quantile: '0.5' }]];
    await db.execute(sql`DELETE FROM freshness_hours`);
    await moves(fresh, async () => {
      const id = await world.follow(site.url('/fresh'));
      site.publish('/fresh', { guid: '1', title: 'One', publishedAt: new Date(world.clock.now().getTime() + 2_000) });
      world.metrics.later(9_000);
      const worker = new WorkerProcess(world);
      await worker.fetch(id);
      // The first fetch is not scheduled.
      await db.execute(sql`UPDATE fetch_states SET job_priority = 7 WHERE id = ${id}`);
      await worker.fetch(id);
    });
    const budget = sql`
      INSERT INTO request_budget (price, correction, balance, budget_per_hour, fetches, looked_at)
      VALUES (123456, 1, 0, 77777, 0, now()) ON CONFLICT (id) DO UPDATE SET price = 123456, budget_per_hour = 77777`;
    await moves([['millrace_request_budget_per_hour'], ['millrace_request_price']], () => db.execute(budget));
  });

  it('is whether the webhook takes notices of alerts', async () => {
    const notices = (outcome: string): Metric => ['millrace_alert_notices_total', { outcome }];
    await moves([notices('failed')], () => world.admin('/queues/note/pause'));
    world.webhook.answers = 204;
    await given.database.db.execute(sql`UPDATE alert_notices SET next_try_at = now()`);
    await moves([notices('delivered')], () => world.admin('/queues/note/resume'));
  });

  it('is how many dead letters are open', async () => {
    const failures: Metric = ['millrace_work_results_total', { feature: 'task', result: 'error', kind: 'failure' }, 1];
    await moves([['millrace_dead_letters_open', {}, 1], failures], () => world.runTask('give-up'));
  });

  it('is that a server is away, without what cannot be known then', async () => {
    const up = (by: number): Metric => ['millrace_dependency_up', { name: 'redis' }, by];
    await moves([up(-1)], () => redis.kill());
    const away = await world.metrics.read();
    for (const name of ['millrace_queue_jobs', 'millrace_queue_paused', 'millrace_queue_oldest_waiting_seconds'])
      expect(away.isTold(name), name).toBe(false);
    for (const name of ['millrace_sources', 'millrace_jobs_total', 'millrace_dead_letters_open'])
      expect(away.isTold(name), name).toBe(true);
    await moves([up(1)], () => redis.restart());
  });
});

describe('all of them', () => {
  it('have moved here, are in docs/metrics.md as what they are, and nothing else is', async () => {
    const text = await world.metrics.read();
    const kinds = [...text.kinds];
    expect(text.value('millrace_build_info', { version: VERSION })).toBe(1);
    world.metrics.moved.add('millrace_build_info');
    const page = readFileSync(new URL('../../../docs/metrics.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `(millrace_\w+)` \| (\w+) \|/gm)].map(([, name, kind]) => `${name} ${kind}`);
    expect(kinds.map(([name, kind]) => `${name} ${kind}`).toSorted()).toEqual(rows.toSorted());
    expect([...world.metrics.moved].toSorted()).toEqual(kinds.map(([name]) => name).toSorted());
  });
});
