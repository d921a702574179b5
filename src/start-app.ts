import { setTimeout as sleep } from 'node:timers/promises';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { FirstAdmin } from './auth/keys/first-admin.js';
import { BrowserGate } from './auth/sessions/browser-gate.js';
import { serveQueueBoard } from './operations/queues/queue-board.js';
import { configureHttp } from './platform/api/configure-http.js';
import { createHttpAdapter } from './platform/api/http-adapter.js';
import { Readiness } from './platform/api/readiness.js';
import type { CreateRpc } from './platform/broker/worker-rpc.js';
import type { Config } from './platform/config.js';
import { adminKeyFile } from './platform/data-folder/data-folder.js';
import type { DataFolderLock } from './platform/data-folder/hold-data-folder.js';
import { Database } from './platform/database/database.js';
import { migrate } from './platform/database/migrate.js';
import { ApiError } from './platform/errors/api-error.js';
import { StartupError } from './platform/errors/startup-error.js';
import { JobHandlers } from './platform/jobs/job-handler.js';
import { WorkerPools } from './platform/jobs/process-pools.js';
import { type Log, NestLog } from './platform/log/log.js';
import { Metrics } from './platform/metrics/metrics.js';
import type { Foundations } from './platform/platform.module.js';
import { noticeRestore } from './publishing/restore/publishing-hold.js';
import { serveWebFiles } from './web/serve-web-files.js';

/** The steps of a stop, in the order of the start. */
export type Undo = (() => Promise<unknown>)[];

export interface AppOptions {
  config: Config;
  log: Log;
  features: Type[];
  createRpc?: CreateRpc | undefined;
  databaseUrl: string;
  lock: DataFolderLock | undefined;
}

/** The second half of a start, which needs most of the program. */
export async function startApp(options: AppOptions, undo: Undo): Promise<void> {
  const { config, log, databaseUrl, lock, features, createRpc } = options;
  await migrate(databaseUrl);
  await holdRestoredPublishing(options);
  const app = await createApp({ config, databaseUrl, log, createRpc }, features);
  undo.push(() => app.close());
  undo.push(() => leaveService(app, config));
  const isApi = config.roles.has('api');
  if (isApi) await app.get(FirstAdmin).ensure();
  const address = await listen(app, config);
  if (address) await lock?.announce(address);
  log.info({ event: 'running', roles: [...config.roles], address }, 'Millrace is running');
  if (isApi && address) await greet(app, config, address);
}

/** Runs before anything uses the database, because posts that a backup lists as due may be published. */
async function holdRestoredPublishing({ config, log, databaseUrl, lock }: AppOptions): Promise<void> {
  const { dataDir, restored } = config;
  const database = new Database(databaseUrl);
  try {
    await noticeRestore(database, { dataDir, log, now: new Date(), copiedFrom: lock?.copiedFrom, restored });
  } finally {
    await database.onApplicationShutdown();
  }
  if (lock?.copiedFrom !== undefined) await lock.forgetCopy();
}

async function createApp(foundations: Foundations, features: Type[]): Promise<NestFastifyApplication> {
  const { config, log } = foundations;
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.on(foundations, features),
    createHttpAdapter(config),
    { logger: new NestLog(log), abortOnError: false },
  );
  configureHttp(app, app.get(BrowserGate).admitAdmin);
  app.get(JobHandlers).requireOneForEachJob();
  app.get(Metrics).collectProcess();
  if (config.roles.has('api')) {
    await serveQueueBoard(app);
    await serveWebFiles(app);
  } else serveHealthOnly(app);
  await app.init();
  return app;
}

/** For a process without the API role: it answers probes and Prometheus only. */
function serveHealthOnly(app: NestFastifyApplication): void {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', async (request) => {
      const { url } = request.routeOptions;
      if (url?.startsWith('/health/') || url === '/metrics') return;
      throw new ApiError(
        'route_not_found',
        'This process answers health checks and /metrics only; it has no api role.',
      );
    });
}

/** Without the api role, a process listens only if a port is configured, for health checks. */
async function listen(
  app: NestFastifyApplication,
  { host, port, roles, portGiven }: Config,
): Promise<string | undefined> {
  if (!roles.has('api') && !portGiven) return undefined;
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw new StartupError(`cannot listen on ${host}:${port}: ${(error as Error).message}; set HOST and PORT`);
  }
  return await app.getUrl();
}

/** The sign-in link is printed on a terminal only. Other output is stored, and its readers could sign in. */
async function greet(app: NestFastifyApplication, config: Config, address: string): Promise<void> {
  const at = config.publicUrl?.replace(/\/$/, '') ?? address;
  const admin = app.get(FirstAdmin);
  const lines = [`Millrace runs at ${at}`];
  if (process.stdout.isTTY)
    lines.push(`One-time sign-in link (valid for 15 minutes): ${at}${await admin.signInLink()}`);
  else lines.push('For a sign-in link, run: millrace sign-in');
  if (await admin.keyIsKept()) lines.push(`Your admin key is in ${adminKeyFile(config.dataDir)}`);
  process.stdout.write(`\n${lines.map((line) => `  ${line}\n`).join('')}\n`);
}

/** Load balancers notice late that this process is not ready, so until then it answers, and its streams stay open. */
async function leaveService(app: NestFastifyApplication, { roles, drainMs }: Config): Promise<void> {
  app.get(Readiness).leave();
  if (!roles.has('api') || !drainMs) return;
  await Promise.all([sleep(drainMs), app.get(WorkerPools).drain()]);
}
