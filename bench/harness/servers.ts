import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../../src/platform/database/embedded/free-port.js';
import { makeTemplateDatabase, withDatabase } from '../../test/harness/administration.js';
import { thisMachine } from '../../test/harness/servers/machine.js';
import { rabbitmqServer, VIRTUAL_HOSTS } from '../../test/harness/servers/rabbitmq-server.js';
import { createRunFolder } from '../../test/harness/servers/run-folder.js';
import { startSharedPostgres, startSharedRedis } from '../../test/harness/servers/shared-servers.js';

export interface BenchServers {
  databaseUrl: string;
  redisUrl: string;
}

/** Runs work with private servers, as the tests use them. */
export async function withBenchServers<T>(work: (servers: BenchServers) => Promise<T>): Promise<T> {
  const folder = createRunFolder();
  try {
    const postgresUrl = await startSharedPostgres(folder.path);
    const redis = await startSharedRedis(folder.path, thisMachine());
    const database = await makeTemplateDatabase(postgresUrl);
    return await work({ databaseUrl: withDatabase(postgresUrl, database), redisUrl: redis.url });
  } finally {
    await folder.remove();
  }
}

/** Runs work with a private broker. */
export async function withBenchRabbitmq<T>(work: (url: string) => Promise<T>): Promise<T> {
  const runFolder = createRunFolder();
  const folder = join(runFolder.path, 'rabbitmq');
  mkdirSync(folder);
  try {
    const port = await findFreePort();
    const server = await rabbitmqServer({ program: thisMachine().installed('rabbitmq'), folder, port });
    await server.start();
    return await work(`amqp://guest:guest@127.0.0.1:${port}/${VIRTUAL_HOSTS[0]}`);
  } finally {
    await runFolder.remove();
  }
}
