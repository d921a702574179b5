import { makeTemplateDatabase, withDatabase } from '../test/harness/administration.js';
import { thisMachine } from '../test/harness/servers/machine.js';
import { createRunFolder } from '../test/harness/servers/run-folder.js';
import { startSharedPostgres, startSharedRedis } from '../test/harness/servers/shared-servers.js';

export interface BenchServers {
  databaseUrl: string;
  redisUrl: string;
}

/** Private servers, as the tests use them, for the time of a benchmark. */
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
