import { Redis } from 'ioredis';
import pg from 'pg';
import { withOurQueue } from '../harness/our-queue.js';
import { progress } from '../harness/progress.js';
import { type BenchServers, withBenchServers } from '../harness/servers.js';
import { between, each, type Usage, usageOf, type Watched } from '../harness/usage.js';
import { type Cost, cost } from './cost.js';
import { total } from './sources.js';

const JOBS = 2_000;
const BATCH = 500;

/** Measures jobs that do nothing and have no row, which is the cost of the queue itself. */
export function jobCosts(): Promise<Cost[]> {
  progress('jobs that do nothing');
  return withBenchServers(async (servers) => {
    const client = new pg.Client({ connectionString: servers.databaseUrl });
    const redis = new Redis(servers.redisUrl);
    await client.connect();
    const watched = { programs: { millrace: process.pid }, client, redis };
    try {
      return [
        ...lines('Redis', await jobUsage(servers, watched)),
        ...lines('PostgreSQL', await jobUsage({ ...servers, redisUrl: undefined }, watched)),
      ];
    } finally {
      redis.disconnect();
      await client.end();
    }
  });
}

const lines = (queue: string, used: Usage): Cost[] => [
  cost(`job ${queue} millrace`, (used.cpu.millrace ?? 0) * 1_000, {
    what: `CPU of a job on ${queue}, in Millrace`,
    unit: 'ms',
  }),
  cost(`job ${queue} server`, (total(used) - (used.cpu.millrace ?? 0)) * 1_000, {
    what: `  in PostgreSQL and Redis`,
    unit: 'ms',
  }),
];

type Servers = Omit<BenchServers, 'redisUrl'> & { redisUrl: string | undefined };

/** Measures one job. The first jobs are a warm-up. */
async function jobUsage(servers: Servers, watched: Watched): Promise<Usage> {
  let done = 0;
  let reached: () => void = () => undefined;
  const run = () => {
    done += 1;
    if (done % BATCH === 0) reached();
  };
  // Each job definition needs a unique name.
  const name = `scale-${servers.redisUrl ? 'redis' : 'postgresql'}`;
  return withOurQueue(servers, { name, run }, async ({ job, jobs }) => {
    const runBatch = async () => {
      const finished = new Promise<void>((resolve) => {
        reached = resolve;
      });
      const from = done;
      const all = Array.from({ length: BATCH }, (_, n) => ({ key: `${from + n}`, data: { id: `${n}` } }));
      await jobs.enqueue(job, all);
      await finished;
    };
    await runBatch();
    const before = await usageOf(watched);
    for (let batch = 0; batch < JOBS / BATCH; batch++) await runBatch();
    return each(between(before, await usageOf(watched)), JOBS);
  });
}
