import { Redis } from 'ioredis';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { rabbitmqUrl } from '../harness/rabbitmq.js';
import { redisUrl } from '../harness/redis.js';
import { type MarkedWorld, startMarkedWorld } from '../secrets/marked-world.js';
import { useEveryFeature } from '../secrets/use-every-feature.js';

const redis = redisUrl();
const rabbitmq = rabbitmqUrl();

/** A replay of a message sends it again, so it is stored as it came. */
const STORED_FOR_REPLAY = ['secret of a message'];

it('no secret is in anything that Millrace writes, whether features succeed or fail', {
  timeout: 240_000,
}, async () => {
  const world = await startMarkedWorld({ redisUrl: redis, rabbitmqUrl: rabbitmq });
  const queue = watchQueue(redis);
  const { problems, admin } = await useEveryFeature(world);
  const places: Record<string, string> = {
    'problem details': problems,
    'dead letters': JSON.stringify(await admin('GET', '/api/v1/dead-letters?limit=100')),
    runs: JSON.stringify(await admin('GET', '/api/v1/runs?limit=100')),
    health: JSON.stringify(await admin('GET', '/api/v1/health')),
    metrics: await admin('GET', '/metrics'),
    'bull-board': await boardOf(admin),
    'alert notices': alertNotices(world),
    queue: await queue.stop(),
  };
  await world.millrace.end('SIGTERM');
  places.log = world.millrace.stdout + world.millrace.stderr;
  places.traces = world.collector.received;
  Object.assign(places, await tables(world.databaseUrl));

  const found = Object.entries(places).map(([place, text]) => [place, world.secrets.foundIn(text)]);
  const nothing = Object.keys(places).map((place) => [place, [] as string[]]);
  const stored = { queue: STORED_FOR_REPLAY, 'table dead_letters': STORED_FOR_REPLAY };
  expect(Object.fromEntries(found)).toEqual({ ...Object.fromEntries(nothing), ...stored });
  expectEverythingHappened(world, places);
});

/** What would make the table above empty for nothing. */
function expectEverythingHappened(
  { secrets, careless, mastodon, webhook }: MarkedWorld,
  places: Record<string, string>,
) {
  for (const [place, text] of Object.entries(places)) expect(text.length, `${place} is empty`).toBeGreaterThan(100);
  const queues = [
    'import-feed',
    'import-item',
    'failed_jobs',
    'publish-mastodon',
    'publish-webhook',
    'publish-facebook',
  ];
  for (const name of queues) expect(places['dead letters']).toContain(`"queue":"${name}"`);
  expect(places['dead letters']).toContain('***');
  expect(places['bull-board']).toContain('***');
  expect(places.log).toContain('"level":20');
  expect(places.log).toContain('/websub/:token');
  expect([mastodon.posts.length, webhook.posts.length]).toEqual([1, 1]);
  const sent = secrets.foundIn(careless.received);
  const ours = [
    'admin key',
    'user key',
    'session cookie',
    'sign-in link',
    'feed token',
    'hub secret',
    'key of credentials',
  ];
  const elsewhere = [
    'Mastodon token',
    'webhook secret',
    'alert webhook secret',
    'WebSub callback token',
    'secret of a message',
  ];
  const inItems = ['password in an item', 'YouTube client secret', 'YouTube refresh token', 'refused webhook secret'];
  const unsent = new Set([
    ...ours,
    ...elsewhere,
    ...inItems,
    'PostgreSQL password',
    'Redis password',
    'RabbitMQ password',
  ]);
  expect(sent).toEqual(expect.arrayContaining(secrets.kinds.filter((kind) => !unsent.has(kind))));
}

/** Notices as they came, without the headers that authenticate them. */
function alertNotices({ careless }: MarkedWorld): string {
  const notices = careless.received.split('\n').filter((line) => line.includes('"type":"alert"'));
  return notices.map((line) => line.split(/ (?=\{)/).at(-1)).join('\n');
}

async function boardOf(admin: (method: string, path: string) => Promise<unknown>): Promise<string> {
  return vi.waitFor(async () => {
    const path = '/admin/queues/api/queues?activeQueue=failed_jobs&page=1&jobsPerPage=10';
    const board = JSON.stringify(await admin('GET', path));
    expect(board).toContain('sender.example');
    return board;
  });
}

/** All that the queue ever held, as far as one can see by looking all the time. */
function watchQueue(url: string) {
  const client = new Redis(url);
  const seen = new Set<string>();
  let [stopped, watching] = [false, Promise.resolve()];
  const look = async () => {
    for (const key of await client.keys('*')) {
      const type = await client.type(key);
      if (type === 'hash') seen.add(JSON.stringify(await client.hgetall(key)));
      if (type === 'list') seen.add(JSON.stringify(await client.lrange(key, 0, -1)));
      if (type === 'stream') seen.add(JSON.stringify(await client.xrange(key, '-', '+')));
      if (type === 'string') seen.add(`${await client.get(key)}`);
      seen.add(key);
    }
  };
  const watch = async () => {
    while (!stopped) {
      await look();
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  watching = watch();
  return {
    async stop(): Promise<string> {
      stopped = true;
      await watching;
      client.disconnect();
      return [...seen].join('\n');
    },
  };
}

/** Tables that hold what happened; those of features hold the addresses and credentials themselves, but not in their errors. */
async function tables(url: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const read = async (statement: string) => JSON.stringify((await client.query(statement)).rows);
  const errors = `SELECT last_error FROM fetch_states UNION ALL SELECT error FROM import_feeds UNION ALL
    SELECT reason FROM failed_items UNION ALL SELECT last_error FROM publications UNION ALL
    SELECT reason FROM publication_changes UNION ALL SELECT error FROM scrape_parts UNION ALL
    SELECT last_error FROM websub_subscriptions UNION ALL SELECT last_error FROM accounts`;
  const found = {
    'table dead_letters': await read('SELECT * FROM dead_letters'),
    'table job_runs': await read('SELECT * FROM job_runs'),
    'tables of alerts': (await read('SELECT * FROM alerts')) + (await read('SELECT * FROM alert_notices')),
    'errors of features': await read(errors),
  };
  await client.end();
  return found;
}
