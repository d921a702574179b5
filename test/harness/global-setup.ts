import type { TestProject } from 'vitest/node';
import { findFreePort } from '../../src/platform/database/embedded/free-port.js';
import { dropDatabase, makeTemplateDatabase } from './administration.js';
import { thisMachine } from './servers/machine.js';
import { createRunFolder } from './servers/run-folder.js';
import { isReady, ownWayToGet, type Way, wayToGet, whatToInstall } from './servers/server-choice.js';
import { startSharedPostgres, startSharedRedis } from './servers/shared-servers.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of this run: the data of the servers, and which test file uses what. */
    runFolder: string;
    /** Address of the maintenance database of the private server. */
    postgresUrl: string;
    /** A database on that server with every migration, which is copied for each test file. */
    templateDatabase: string;
    /** Address of the shared server, and how to start one that a test may kill. */
    redis: { url: string; databases: number; ownWay: Way };
    /** Unless a server is configured, the first test file that needs one starts it on this port. */
    rabbitmq: { given: string | undefined; program: string | undefined; port: number; ownWay: Way };
  }
}

/** Starts the shared servers. RabbitMQ takes ten seconds, so the first test file that needs it starts it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const machine = thisMachine();
  const missing = (['redis', 'rabbitmq'] as const).filter((service) => !isReady(wayToGet(service, machine)));
  if (missing.length > 0) throw new Error(whatToInstall('The tests need', missing));

  const runFolder = createRunFolder();
  try {
    const [postgresUrl, redis, port] = await Promise.all([
      startSharedPostgres(runFolder.path),
      startSharedRedis(runFolder.path, machine),
      findFreePort(),
    ]);
    const templateDatabase = await makeTemplateDatabase(postgresUrl);
    project.provide('runFolder', runFolder.path);
    project.provide('postgresUrl', postgresUrl);
    project.provide('templateDatabase', templateDatabase);
    project.provide('redis', { ...redis, ownWay: ownWayToGet('redis', machine) });
    project.provide('rabbitmq', {
      given: machine.given('rabbitmq'),
      program: machine.installed('rabbitmq'),
      port,
      ownWay: ownWayToGet('rabbitmq', machine),
    });
    return async () => {
      try {
        await dropDatabase(postgresUrl, templateDatabase);
      } finally {
        await runFolder.remove();
      }
    };
  } catch (error) {
    await runFolder.remove();
    throw error;
  }
}
