import { fullestWindow, usedCapacity } from '../../test/publishing/windows.js';
import type { Servers } from '../harness/our-queue.js';
import { progress } from '../harness/progress.js';
import { withDataFolder, withMillrace } from '../harness/running-millrace.js';
import { withBenchServers } from '../harness/servers.js';
import { type Measurement, median } from '../report.js';
import { barePostsPerSecond } from './bare.js';
import { makeAccount, type Posts, type Publishing, perSecond, publishAll } from './posts.js';
import { Receiver } from './receiver.js';

const KEY = 'an-admin-key-for-benchmarks-only';
const ROUNDS = 2;
const TARGET = 0.8;
/** The maximum size of a pool. */
const CONCURRENCY = 20;
/** Enough posts for the pool to have grown before the measurement. */
const WARM_UP = { count: 4_000, delayMs: 100 };
const ROUND = { count: 10_000, delayMs: 100 };
const AT_ONCE = { count: 3_000, delayMs: 0 };
const AT_ONCE_TARGETS = { Redis: 0.3, PostgreSQL: 0.6 };

const LIMIT = { most: 500, windowMs: 30_000 };
const LIMITED = { count: 2_000, delayMs: 100 };
const CAPACITY = 0.99;

type Backend = 'Redis' | 'PostgreSQL';

/**
 * Measures how many posts per second reach their platform when all become due at one moment, with the program as
 * users run it.
 */
export async function run(): Promise<Measurement[]> {
  const receiver = await Receiver.start();
  try {
    return [
      ...(await unlimited('Redis', receiver)),
      ...(await unlimited('PostgreSQL', receiver)),
      ...(await limited(receiver)),
    ];
  } finally {
    receiver.stop();
  }
}

async function unlimited(backend: Backend, receiver: Receiver): Promise<Measurement[]> {
  const rounds: { bare: number; ours: number }[] = [];
  let atOnce = { bare: 0, ours: 0 };
  await withPublishing(backend, {}, async (publishing, servers) => {
    const accountId = await makeAccount(publishing, receiver);
    const once = async (size: { count: number; delayMs: number }) => {
      progress(`queue on ${backend}: ${size.count} posts, answers after ${size.delayMs} ms`);
      const posts: Posts = { receiver, ...size, concurrency: CONCURRENCY };
      const ours = perSecond(await publishAll(publishing, accountId, posts));
      return { ours, bare: await barePostsPerSecond(servers, posts) };
    };
    await once(WARM_UP);
    for (let round = 0; round < ROUNDS; round++) rounds.push(await once(ROUND));
    atOnce = await once(AT_ONCE);
  });
  const ratio = median(rounds.map(({ bare, ours }) => ours / bare));
  const [atOnceRatio, target] = [atOnce.ours / atOnce.bare, AT_ONCE_TARGETS[backend]];
  const rate = (of: (round: { bare: number; ours: number }) => number) =>
    `${median(rounds.map(of)).toFixed(0)} posts/s`;
  return [
    {
      what: `bare BullMQ on ${backend}, ${ROUND.count} posts, answers after ${ROUND.delayMs} ms`,
      value: rate(({ bare }) => bare),
    },
    { what: '  Millrace', value: rate(({ ours }) => ours) },
    { what: '  ratio', value: ratio.toFixed(2), target: `at least ${TARGET}`, met: ratio >= TARGET },
    { what: `  ${AT_ONCE.count} posts, answers at once: bare`, value: `${atOnce.bare.toFixed(0)} posts/s` },
    { what: '  Millrace', value: `${atOnce.ours.toFixed(0)} posts/s` },
    { what: '  ratio', value: atOnceRatio.toFixed(2), target: `at least ${target}`, met: atOnceRatio >= target },
  ];
}

async function limited(receiver: Receiver): Promise<Measurement[]> {
  const settings = { MILLRACE_PLATFORM_LIMITS: `webhook=${LIMIT.most}/${LIMIT.windowMs / 1_000}s` };
  progress(`${LIMITED.count} posts with a limit`);
  const times = await withPublishing('Redis', settings, async (publishing) => {
    const accountId = await makeAccount(publishing, receiver);
    const posts = { receiver, ...LIMITED, concurrency: CONCURRENCY };
    return (await publishAll(publishing, accountId, posts)).taken.times;
  });
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  // While posts wait for capacity, the time counts from the end of the first window to the last post.
  const used = usedCapacity(times, { ...LIMIT, from: first + LIMIT.windowMs, to: last });
  const most = fullestWindow(times, LIMIT.windowMs);
  return [
    {
      what: `with ${LIMIT.most} in ${LIMIT.windowMs / 1_000} s: posts in the fullest window`,
      value: String(most),
      target: `at most ${LIMIT.most}`,
      met: most <= LIMIT.most,
    },
    {
      what: '  capacity used',
      value: `${(used * 100).toFixed(2)} %`,
      target: `at least ${CAPACITY * 100} %`,
      met: used >= CAPACITY,
    },
  ];
}

function withPublishing<T>(
  backend: Backend,
  settings: Record<string, string>,
  work: (publishing: Publishing, servers: Servers) => Promise<T>,
): Promise<T> {
  return withBenchServers(async (started) => {
    const servers = { ...started, redisUrl: backend === 'Redis' ? started.redisUrl : undefined };
    const { databaseUrl } = servers;
    const environment = {
      ...settings,
      MILLRACE_ADMIN_KEY: KEY,
      MILLRACE_ALLOW_NETWORKS: '127.0.0.1',
      // All posts go to one host here.
      MILLRACE_HOST_CONCURRENCY: String(CONCURRENCY),
      DATABASE_URL: databaseUrl,
      REDIS_URL: servers.redisUrl ?? '',
    };
    return withDataFolder((dataDir) =>
      withMillrace(dataDir, (_npm, address) => work({ address, key: KEY, databaseUrl }, servers), environment),
    );
  });
}
