import type { Config } from './platform/config.js';
import { openDataFolder } from './platform/data-folder/data-folder.js';
import { holdDataFolder } from './platform/data-folder/hold-data-folder.js';
import { startEmbeddedPostgres } from './platform/database/embedded/start-embedded-postgres.js';
import { exhaustedResource } from './platform/database/exhausted.js';
import { lostConnection } from './platform/database/lost-connection.js';
import { StartupError } from './platform/errors/startup-error.js';
import type { Log } from './platform/log/log.js';
import { checkDatabase, checkRedis } from './platform/process/check-servers.js';
import { replaceDateNow } from './platform/time/database-time.js';
import { withTimeout } from './platform/time/with-timeout.js';
import { startTracing } from './platform/tracing/start-tracing.js';
import type { AppOptions, Undo } from './start-app.js';

export interface Millrace {
  stop(): Promise<void>;
}

type OpenDatabase = Pick<AppOptions, 'databaseUrl' | 'lock'>;
export type StartOptions = Omit<AppOptions, keyof OpenDatabase>;

/** Time of each shutdown step beyond that of running jobs (ms). A hanging step does not block others. */
const CLOSE_MS = 10_000;

const EXHAUSTED = {
  connections_exhausted: 'the database has no connection left; raise max_connections or run fewer processes',
  disk_full: 'the disk is full; free some space',
};

/** Starts everything in order. If a step fails, the previous ones are undone. */
export async function startMillrace(options: StartOptions): Promise<Millrace> {
  const undo: Undo = [];
  const stop = () => takeDown(undo, options);
  try {
    await bringUp(options, undo);
    return { stop };
  } catch (error) {
    await stop();
    const exhausted = exhaustedResource(error);
    if (exhausted) throw new StartupError(`cannot start: ${EXHAUSTED[exhausted]}`);
    const lost = lostConnection(error);
    throw lost ? new StartupError(`cannot start while a server goes away: ${lost}`) : error;
  }
}

async function takeDown(undo: Undo, { config, log }: StartOptions): Promise<void> {
  for (const step of undo.splice(0).reverse()) {
    try {
      await withTimeout(step(), config.drainMs + config.shutdownMs + CLOSE_MS);
    } catch (error) {
      log.error({ event: 'shutdown_step_failed', err: error }, 'A shutdown step failed');
    }
  }
}

async function bringUp(options: StartOptions, undo: Undo): Promise<void> {
  const { config, log } = options;
  const restoreDateNow = replaceDateNow();
  undo.push(async () => restoreDateNow());
  undo.push(await startTracing(config, log));
  await openDataFolder(config.dataDir);
  if (config.redisUrl) await checkRedis(config.redisUrl);
  const database = await openDatabase(config, log, undo);
  const { startApp } = await loadApp();
  await startApp({ ...options, ...database }, undo);
}

const loadApp = () => import('./start-app.js');

async function openDatabase(config: Config, log: Log, undo: Undo): Promise<OpenDatabase> {
  if (config.databaseUrl) {
    await checkDatabase(config.databaseUrl);
    return { databaseUrl: config.databaseUrl, lock: undefined };
  }
  const lock = await holdDataFolder(config.dataDir);
  undo.push(() => lock.release());
  if (lock.copiedFrom !== undefined) {
    const facts = { event: 'data_folder_copied', dataDir: config.dataDir, copiedFrom: lock.copiedFrom };
    log.warn(facts, 'The data folder is a copy or was restored from a backup');
  }
  // Loading blocks this process for as long as PostgreSQL takes to start. An error is reported by the next load.
  const meanwhile = () => Promise.allSettled([loadApp()]);
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log, meanwhile });
  undo.push(() => postgres.stop());
  return { databaseUrl: postgres.url, lock };
}
