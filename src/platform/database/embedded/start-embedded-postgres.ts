import { setTimeout as sleep } from 'node:timers/promises';
import { openDataFolder } from '../../data-folder/data-folder.js';
import { StartupError } from '../../errors/startup-error.js';
import type { Log } from '../../log/log.js';
import { bringUp, type RunningServer } from './bring-up.js';
import { type ClusterRecord, urlOf, writeClusterRecord } from './cluster-record.js';
import { ensureDatabase } from './ensure-database.js';
import { type Cluster, openCluster } from './open-cluster.js';
import { Supervisor } from './supervisor.js';

export interface EmbeddedPostgres {
  /** With the password; stays the same for as long as this process runs. */
  readonly url: string;
  /** Whether the server was running already: left over from a Millrace that was killed, or in use by one at work. */
  readonly adopted: boolean;
  /** Stops the server. */
  stop(): Promise<void>;
  /** Stops looking after the server and lets it run on. */
  leave(): Promise<void>;
}

/** How long a start is tried: parts of a server that was killed may hold on for some seconds. */
const START_ATTEMPTS_MS = 6_000;
const BETWEEN_ATTEMPTS_MS = 300;

/** Brings up the PostgreSQL of a data folder (made on first use) and keeps it up until told to stop. */
export async function startEmbeddedPostgres(options: { dataDir: string; log: Log }): Promise<EmbeddedPostgres> {
  const { log } = options;
  const dataDir = (await openDataFolder(options.dataDir)).path;
  const cluster = await openCluster(dataDir, log);
  const { running, record } = await bringUpPatiently(dataDir, cluster);
  log.info({ port: running.port }, running.adopted ? 'PostgreSQL was running already' : 'PostgreSQL started');

  const supervisor = new Supervisor(cluster.server, running, log);
  return {
    url: urlOf(record),
    adopted: running.adopted,
    leave: () => supervisor.end(),
    stop: async () => {
      await supervisor.end();
      await cluster.server.stop();
      log.info('PostgreSQL stopped');
    },
  };
}

async function remember(dataDir: string, known: ClusterRecord, port: number): Promise<ClusterRecord> {
  if (known.complete && known.port === port) return known;
  const record = { ...known, port, complete: true };
  await writeClusterRecord(dataDir, record);
  return record;
}

interface Usable {
  running: RunningServer;
  record: ClusterRecord;
}

/** A server that was found running may be about to stop. */
async function bringUpPatiently(dataDir: string, { server, record: known }: Cluster): Promise<Usable> {
  const lastAttempt = Date.now() + START_ATTEMPTS_MS;
  for (;;) {
    try {
      const running = await bringUp(server, { port: known.port, portMayChange: true });
      const record = await remember(dataDir, known, running.port);
      await ensureDatabase(record);
      return { running, record };
    } catch (error) {
      if (error instanceof StartupError) throw error;
      if (Date.now() > lastAttempt) throw new StartupError(`PostgreSQL does not start: ${(error as Error).message}`);
      await sleep(BETWEEN_ATTEMPTS_MS);
    }
  }
}
