import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { administer } from '../../test/harness/administration.js';
import { progress } from '../harness/progress.js';
import { withDataFolder, withMillrace } from '../harness/running-millrace.js';
import { withBenchServers } from '../harness/servers.js';
import { type Measurement, median } from '../report.js';
import { barePostsPerSecond } from './bare.js';
import { type Importing, itemsPerSecond } from './run-import.js';

const FEEDS = 1_000;
const ITEMS = 50;
const ROUNDS = 3;
const TARGETS = { Redis: 0.5, PostgreSQL: 0.4 };
const KEY = 'an-admin-key-for-benchmarks-only';
/** All feeds are on one host here, whereas real ones are on many, so the host limits are lifted. */
const ONE_HOST = { MILLRACE_IMPORT_RATE: '100000', MILLRACE_HOST_CONCURRENCY: '100' };

type QueueServer = keyof typeof TARGETS;

interface Round {
  bare: number;
  first: number;
  again: number;
}

/** Measures items per second from the request to the end of the import, with the program as users run it. */
export async function run(): Promise<Measurement[]> {
  return withFeeds(async (feeds) => [
    { what: `${FEEDS} feeds × ${ITEMS} items`, value: inWords(ONE_HOST) },
    ...(await compare('Redis', feeds)),
    ...(await compare('PostgreSQL', feeds)),
  ]);
}

const inWords = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');

/** Runs work with feeds that a separate process serves. */
async function withFeeds<T>(work: (feeds: string[]) => Promise<T>): Promise<T> {
  const program = fileURLToPath(new URL('./feed-server.program.js', import.meta.url));
  const server: ChildProcess = fork(program, [String(FEEDS), String(ITEMS)]);
  try {
    const [feeds] = await once(server, 'message');
    return await work(feeds as string[]);
  } finally {
    server.disconnect();
  }
}

async function compare(queue: QueueServer, feeds: string[]): Promise<Measurement[]> {
  const rounds = await withBenchServers(async ({ databaseUrl, redisUrl }) => {
    const environment = {
      ...ONE_HOST,
      MILLRACE_ADMIN_KEY: KEY,
      MILLRACE_ALLOW_NETWORKS: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      REDIS_URL: queue === 'Redis' ? redisUrl : '',
    };
    return withDataFolder((dataDir) =>
      withMillrace(
        dataDir,
        (_npm, address) => {
          const importing = { address, key: KEY, feeds, items: FEEDS * ITEMS };
          return inTurns(queue, importing, databaseUrl);
        },
        environment,
      ),
    );
  });
  return lines(queue, rounds);
}

async function inTurns(queue: QueueServer, importing: Importing, databaseUrl: string): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const report = (step: string) =>
      progress(`queue on ${queue}, ${round ? `round ${round} of ${ROUNDS}` : 'warm-up round'}: ${step}`);
    report('import of new items');
    await administer(databaseUrl, 'TRUNCATE imports, sources CASCADE', 'CHECKPOINT');
    const first = await itemsPerSecond(importing, 'new');
    report('the same again, all unchanged');
    const again = await itemsPerSecond(importing, 'unchanged');
    report('bare insert');
    const bare = await barePostsPerSecond(databaseUrl);
    // The first round is a warm-up.
    if (round > 0) rounds.push({ bare, first, again });
  }
  return rounds;
}

function lines(queue: QueueServer, rounds: Round[]): Measurement[] {
  const target = TARGETS[queue];
  const ratio = median(rounds.map(({ bare, first }) => first / bare));
  const perSecond = (of: (round: Round) => number) => `${median(rounds.map(of)).toFixed(0)} items/s`;
  return [
    { what: `queue on ${queue}: bare INSERT … SELECT unnest of posts and words`, value: perSecond(({ bare }) => bare) },
    { what: '  import', value: perSecond(({ first }) => first) },
    { what: '  ratio', value: ratio.toFixed(2), target: `at least ${target}`, met: ratio >= target },
    { what: '  the same again, all unchanged', value: perSecond(({ again }) => again) },
  ];
}
