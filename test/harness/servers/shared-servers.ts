import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findFreePort } from '../../../src/platform/database/embedded/free-port.js';
import { administer } from '../administration.js';
import { startPostgres } from './postgres-server.js';
import { redisServer } from './redis-server.js';
import { type Machine, ownWayToGet } from './server-choice.js';

export async function startSharedPostgres(runFolder: string): Promise<string> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return given;
  const url = await startPostgres(join(runFolder, 'shared-postgres'));
  // This data need not survive a power failure.
  await administer(url, 'ALTER SYSTEM SET fsync = off', 'SELECT pg_reload_conf()');
  return url;
}

export async function startSharedRedis(runFolder: string, machine: Machine) {
  const url = machine.given('redis') ?? (await startPrivateRedis(join(runFolder, 'shared-redis'), machine));
  return { url, databases: await countDatabases(url) };
}

async function startPrivateRedis(folder: string, machine: Machine): Promise<string> {
  mkdirSync(folder);
  const port = await findFreePort();
  await redisServer({ way: ownWayToGet('redis', machine), folder, port }).start();
  return `redis://127.0.0.1:${port}`;
}

async function countDatabases(url: string): Promise<number> {
  const redis = new Redis(url, { maxRetriesPerRequest: 2 });
  try {
    const [, count] = (await redis.config('GET', 'databases')) as [string, string];
    return Number(count);
  } finally {
    redis.disconnect();
  }
}
