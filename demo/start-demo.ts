import { setMaxListeners } from 'node:events';
import { createServer } from 'node:net';
import { watchDatabase } from './demo/database-watch.js';
import { clusterOf, openDemoFolder } from './demo/demo-folder.js';
import { demoSettings } from './demo/demo-settings.js';
import { startInstagramWorker } from './demo/instagram/start-instagram-worker.js';
import { startWorld } from './demo/start-world.js';
import { visit } from './demo/visitors/visit.js';
import type { World } from './demo/world.js';
import { type Config, parseConfig } from './platform/config.js';
import { readAdminKey } from './platform/data-folder/admin-key-file.js';
import { announcedAddress } from './platform/data-folder/hold-data-folder.js';
import { StartupError } from './platform/errors/startup-error.js';
import { createLog, type Log } from './platform/log/log.js';
import { startMillrace, type Wanted } from './start-millrace.js';

export interface DemoWishes {
  /** Emptied first; refused if it is not a demo's. */
  dataDir: string;
  seed: number;
  /** Variables such as PORT that are the user's to choose. */
  chosen?: Record<string, string | undefined>;
}

export interface Demo {
  address: string;
  adminKey: string;
  world: World;
  stop(): Promise<void>;
}

/** Starts the world, Millrace in it, and the people who use it. */
export async function startDemo({ dataDir, seed, chosen = {} }: DemoWishes): Promise<Demo> {
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    await requireFreePort(parseConfig(chosen));
    await openDemoFolder(dataDir);
    const world = await startWorld({ seed });
    undo.push(() => world.stop());
    const config = parseConfig({ ...chosen, ...demoSettings(world), MILLRACE_DATA_DIR: dataDir });
    const log = createLog(config);
    const worker = startInstagramWorker({ brokerUrl: world.brokerUrl, instagramUrl: world.instagram.url, log });
    undo.push(() => worker.stop());
    undo.push(await startWatched({ config, log, features: [] }));
    const door = await doorOf(dataDir);
    undo.push(letPeopleIn(world, door, log));
    return { ...door, world, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Millrace, with a database that goes even if this process is killed. Returns what stops it. */
async function startWatched(wanted: Wanted): Promise<() => Promise<void>> {
  const millrace = await startMillrace(wanted);
  const cluster = await clusterOf(wanted.config.dataDir);
  const watch = cluster ? watchDatabase(cluster) : undefined;
  return async () => {
    await millrace.stop();
    await watch?.end();
  };
}

interface Entrance {
  address: string;
  adminKey: string;
}

async function doorOf(dataDir: string): Promise<Entrance> {
  const [address, adminKey] = [await announcedAddress(dataDir), await readAdminKey(dataDir)];
  if (!address || !adminKey) throw new Error(`${dataDir} tells neither where Millrace is nor its key`);
  return { address, adminKey };
}

/** Returns what sends them home. */
function letPeopleIn(world: World, door: Entrance, log: Log): () => Promise<void> {
  const leaving = new AbortController();
  // Each of them listens.
  setMaxListeners(0, leaving.signal);
  const visiting = visit(world, { ...door, signal: leaving.signal }, log).catch((err) => {
    if (!leaving.signal.aborted) log.error({ err }, 'the people of the demo have given up');
  });
  return async () => {
    leaving.abort();
    await visiting;
  };
}

/** Said before anything is started, which would take seconds. */
async function requireFreePort({ host, port }: Config): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
    await new Promise((resolve) => server.close(resolve));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE') throw new StartupError(`cannot listen on ${host}:${port}: ${message}`);
    const other = `PORT=${port + 1} npm run demo`;
    throw new StartupError(
      `Port ${port} is in use, perhaps by a Millrace that runs already. Stop that, or try: ${other}`,
    );
  }
}
