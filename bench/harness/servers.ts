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

/** Runs work with a private PostgreSQL server and an empty database of Millrace. */
export async function withBenchPostgres<T>(work: (databaseUrl: string) => Promise<T>): Promise<T> {
  return withRunFolder(async (folder) => {
    const postgresUrl = await startSharedPostgres(folder);
    return work(withDatabase(postgresUrl, await makeTemplateDatabase(postgresUrl)));
  });
}

/** Runs work with private servers, as the tests use them. */
export async function withBenchServers<T>(work: (servers: BenchServers) => Promise<T>): Promise<T> {
  return withBenchPostgres((databaseUrl) =>
    withRunFolder(async (folder) => {
      const { url: redisUrl } = await startSharedRedis(folder, thisMachine());
      return work({ databaseUrl, redisUrl });
    }),
  );
}

/** Runs work with a private broker, or with the one that `TEST_RABBITMQ_URL` names. */
export async function withBenchRabbitmq<T>(work: (url: string) => Promise<T>): Promise<T> {
  const machine = thisMachine();
  const given = machine.given('rabbitmq');
  if (given) return work(given);
  return withRunFolder(async (runFolder) => {
    const folder = join(runFolder, 'rabbitmq');
    mkdirSync(folder);
    const port = await findFreePort();
    const server = await rabbitmqServer({ program: machine.installed('rabbitmq'), folder, port });
    await server.start();
    return work(`amqp://guest:guest@127.0.0.1:${port}/${VIRTUAL_HOSTS[0]}`);
  });
}

/** The servers in the folder end with the work, or with this process if it is killed. */
export async function withRunFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = createRunFolder();
  try {
    return await work(folder.path);
  } finally {
    await folder.remove();
  }
}
