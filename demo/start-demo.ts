import { setMaxListeners } from 'node:events';
import { createServer } from 'node:net';
import type { CreateRpc } from '../src/platform/broker/worker-rpc.js';
import { type Config, parseConfig } from '../src/platform/config.js';
import { readAdminKey } from '../src/platform/data-folder/data-folder.js';
import { announcedAddress } from '../src/platform/data-folder/hold-data-folder.js';
import { StartupError } from '../src/platform/errors/startup-error.js';
import { createLog, type Log } from '../src/platform/log/log.js';
import { type StartOptions, startMillrace } from '../src/start-millrace.js';
import { watchDatabase } from './database-watch.js';
import { clusterOf, openDemoFolder } from './demo-folder.js';
import { demoSettings } from './demo-settings.js';
import { InProcessWorker } from './instagram/in-process-worker.js';
import { startWorld } from './start-world.js';
import { visit } from './visitors/visit.js';
import type { World } from './world.js';

interface DemoOptions {
  /** Emptied at the start. A folder that belongs to anything but a demo is refused. */
  dataDir: string;
  seed: number;
  /** Variables of Millrace that the user may set, such as PORT. */
  variables?: Record<string, string | undefined>;
}

interface Demo {
  address: string;
  adminKey: string;
  world: World;
  /** Whether Instagram is fetched by a worker over RabbitMQ, which the user starts. */
  usesRabbitmq: boolean;
  stop(): Promise<void>;
}

/** Starts the made-up sites and platforms, Millrace, and its users. */
export async function startDemo({ dataDir, seed, variables = {} }: DemoOptions): Promise<Demo> {
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    await requireFreePort(parseConfig(variables));
    await openDemoFolder(dataDir);
    const world = await startWorld({ seed });
    undo.push(() => world.stop());
    const config = parseConfig({ ...variables, ...demoSettings(world), MILLRACE_DATA_DIR: dataDir });
    const log = createLog(config);
    const usesRabbitmq = config.rabbitmqUrl !== undefined;
    const createWorker: CreateRpc = (metrics, rpcLog) => new InProcessWorker(world.instagram.url, metrics, rpcLog);
    const createRpc = usesRabbitmq ? undefined : createWorker;
    undo.push(await startWatched({ config, log, features: [], createRpc }));
    const entrance = await entranceTo(dataDir);
    undo.push(startVisitors(world, entrance, log));
    return { ...entrance, world, usesRabbitmq, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts Millrace with a database that stops even if this process is killed. Returns what stops both. */
async function startWatched(wanted: StartOptions): Promise<() => Promise<void>> {
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

async function entranceTo(dataDir: string): Promise<Entrance> {
  const address = await announcedAddress(dataDir);
  const adminKey = await readAdminKey(dataDir);
  if (!address || !adminKey) throw new Error(`${dataDir} holds no address or no admin key of Millrace`);
  return { address, adminKey };
}

/** Starts the users of the demo. Returns what stops them. */
function startVisitors(world: World, entrance: Entrance, log: Log): () => Promise<void> {
  const stopping = new AbortController();
  // Every visitor listens to the signal.
  setMaxListeners(0, stopping.signal);
  const visiting = visit(world, { ...entrance, signal: stopping.signal }, log).catch((err) => {
    if (!stopping.signal.aborted)
      log.error({ event: 'demo_visitors_failed', err }, 'The users of the demo have stopped');
  });
  return async () => {
    stopping.abort();
    await visiting;
  };
}

/** Checked first, because everything else takes seconds to start. */
async function requireFreePort({ host, port }: Config): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
    await new Promise((resolve) => server.close(resolve));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE') throw new StartupError(`Could not listen on ${host}:${port}: ${message}`);
    const other = `PORT=${port + 1} npm run demo`;
    throw new StartupError(`Port ${port} is in use, perhaps by another Millrace. Stop it, or run: ${other}`);
  }
}
