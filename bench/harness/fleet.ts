import type { ChildProcess } from 'node:child_process';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Servers } from './our-queue.js';
import { withDataFolder, withMillrace } from './running-millrace.js';
import { withBenchPostgres, withBenchServers } from './servers.js';
import { childrenOf, type Watched } from './usage.js';

const KEY = 'an-admin-key-for-benchmarks-only';
/** All feeds are on one host here, and one key makes the requests of all readers, so these limits are lifted. */
const SETTINGS = {
  MILLRACE_ADMIN_KEY: KEY,
  MILLRACE_SECRET_KEYS: 'a-key-for-secrets-for-benchmarks-only',
  MILLRACE_ALLOW_NETWORKS: '127.0.0.1',
  MILLRACE_HOST_CONCURRENCY: '100',
  MILLRACE_ICONS: 'off',
  MILLRACE_REQUESTS_PER_MINUTE: '1000000',
};

export interface Fleet extends Watched {
  /** The address of each process. */
  addresses: Record<string, string>;
  key: string;
  databaseUrl: string;
}

export interface FleetOptions {
  /** One process per entry: its name and its configured roles. */
  processes: Record<string, string>;
  settings?: Record<string, string>;
}

interface Started {
  pid: number;
  address: string;
}

/** Runs work with processes of Millrace on private servers. */
export async function withFleet<T>(
  options: FleetOptions & { queue: 'Redis' | 'PostgreSQL' },
  work: (fleet: Fleet) => Promise<T>,
): Promise<T> {
  if (options.queue === 'Redis') return withBenchServers((servers) => withFleetOn(servers, options, work));
  return withBenchPostgres((databaseUrl) => withFleetOn({ databaseUrl, redisUrl: undefined }, options, work));
}

/** Runs work with processes of Millrace on running servers. Without Redis the queue is on PostgreSQL. */
export async function withFleetOn<T>(
  { databaseUrl, redisUrl = '' }: Servers,
  options: FleetOptions,
  work: (fleet: Fleet) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const redis = redisUrl ? new Redis(redisUrl) : undefined;
  const environment = { ...SETTINGS, ...options.settings, REDIS_URL: redisUrl };
  try {
    return await withProcesses(options.processes, { environment, databaseUrl }, (started) => {
      const programs = Object.fromEntries(started.map(([name, { pid }]) => [name, pid]));
      const addresses = Object.fromEntries(started.map(([name, { address }]) => [name, address]));
      return work({ programs, addresses, client, redis, key: KEY, databaseUrl });
    });
  } finally {
    redis?.disconnect();
    await client.end();
  }
}

interface Setting {
  environment: Record<string, string>;
  databaseUrl: string;
}

/** The processes start side by side, because one may become ready only after another. */
async function withProcesses<T>(
  processes: Record<string, string>,
  { environment, databaseUrl }: Setting,
  work: (started: [string, Started][]) => Promise<T>,
): Promise<T> {
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const runs: Promise<void>[] = [];
  const started = Object.entries(processes).map(([name, roles]) => {
    // The name tells the connections of the processes apart.
    const settings = { ...environment, MILLRACE_ROLES: roles, DATABASE_URL: `${databaseUrl}?application_name=${name}` };
    return new Promise<[string, Started]>((resolve, reject) => {
      const run = oneProcess(settings, async (process) => {
        resolve([name, process]);
        await finished;
      });
      runs.push(run);
      run.catch(reject);
    });
  });
  try {
    return await work(await Promise.all(started));
  } finally {
    finish();
    await Promise.allSettled(runs);
  }
}

function oneProcess(settings: Record<string, string>, work: (started: Started) => Promise<void>): Promise<void> {
  return withDataFolder((dataDir) =>
    withMillrace(dataDir, async (npm, address) => work({ pid: await programOf(npm), address }), settings),
  );
}

/** Returns npm's only child. */
async function programOf(npm: ChildProcess): Promise<number> {
  const [pid] = await childrenOf(npm.pid ?? 0);
  if (!pid) throw new Error('npm start has no process');
  return pid;
}
