import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { FolderIdentity, identityOf, openDataFolder } from '../../data-folder/data-folder.js';
import { renameWithRetries } from '../../data-folder/rename-with-retries.js';
import { StartupError } from '../../errors/startup-error.js';
import type { Log } from '../../log/log.js';
import { bringUp, type RunningServer } from './bring-up.js';
import {
  type ClusterRecord,
  DATABASE,
  newPassword,
  readClusterRecord,
  recordFile,
  SUPERUSER,
  urlOf,
  writeClusterRecord,
} from './cluster-record.js';
import { ClusterServer } from './cluster-server.js';
import { findFreePort } from './free-port.js';
import { findInstallation, type Installation } from './installation.js';
import { canDo, chooseServerUser, runAs, type ServerUser } from './server-user.js';
import { makeSharedFolder } from './shared-folder.js';
import { Supervisor } from './supervisor.js';

const UNAVAILABLE_CODES = ['57P03', '57P01', 'ECONNREFUSED', 'ECONNRESET'];

export interface EmbeddedPostgres {
  /** Includes the password. It does not change while this process runs. */
  readonly url: string;
  readonly adopted: boolean;
  stop(): Promise<void>;
  leave(): Promise<void>;
}

/** How long a start is retried, in milliseconds. Processes of a killed server may linger for some seconds. */
const START_ATTEMPTS_MS = 6_000;
const BETWEEN_ATTEMPTS_MS = 300;

interface EmbeddedOptions {
  dataDir: string;
  log: Log;
  /** Work that can be done while the server starts. It may block this process, because nothing here has a deadline then. */
  meanwhile?: () => Promise<unknown>;
}

export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { log, meanwhile } = options;
  const dataDir = (await openDataFolder(options.dataDir)).path;
  const cluster = await openCluster(dataDir, log);
  const { running, record } = await bringUpPatiently(dataDir, cluster, meanwhile);
  log.info(
    { event: running.adopted ? 'embedded_postgresql_adopted' : 'embedded_postgresql_started', port: running.port },
    running.adopted ? 'PostgreSQL was running already' : 'PostgreSQL started',
  );

  const supervisor = new Supervisor(cluster.server, running, log);
  return {
    url: urlOf(record),
    adopted: running.adopted,
    leave: () => supervisor.end(),
    stop: async () => {
      await supervisor.end();
      await cluster.server.stop();
      log.info({ event: 'embedded_postgresql_stopped' }, 'PostgreSQL stopped');
    },
  };
}

async function remember(dataDir: string, known: ClusterRecord, port: number): Promise<ClusterRecord> {
  if (known.complete && known.port === port) return known;
  const record = { ...known, port, complete: true };
  await writeClusterRecord(dataDir, record);
  return record;
}

interface StartedCluster {
  running: RunningServer;
  record: ClusterRecord;
}

/** Retries, because a server that was found running may be stopping. */
async function bringUpPatiently(
  dataDir: string,
  { server, record: known }: Cluster,
  meanwhile: EmbeddedOptions['meanwhile'],
): Promise<StartedCluster> {
  const lastAttempt = Date.now() + START_ATTEMPTS_MS;
  for (;;) {
    try {
      const starting = bringUp(server, { port: known.port, portMayChange: true });
      const [running] = await Promise.all([starting, meanwhile?.()]);
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

const isUnavailable = (error: unknown) => UNAVAILABLE_CODES.includes(String((error as { code?: unknown }).code));

/** The stored password also proves that the server is ours. Fails with a StartupError unless the server is stopping. */
async function ensureDatabase(record: ClusterRecord): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(record, 'postgres'), connectionTimeoutMillis: 10_000 });
  // The pending call reports the error as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    throw new StartupError(`cannot use the PostgreSQL on port ${record.port}: ${(error as Error).message}`);
  } finally {
    await client.end();
  }
}

interface Cluster {
  readonly record: ClusterRecord;
  readonly server: ClusterServer;
}

async function openCluster(dataDir: string, log: Log): Promise<Cluster> {
  const known = await readClusterRecord(dataDir);
  const existing = existingCluster(dataDir, known);
  const user = await chooseServerUser(existing);
  const installation = await findInstallation(user, log);
  if (known && existing) {
    await claimOutsideCluster(dataDir, known.folder);
    await checkUsable(existing, installation, user);
    return { record: known, server: new ClusterServer(existing, installation, user) };
  }

  const record = known ?? (await newRecord(dataDir, user, log));
  const cluster = resolve(dataDir, record.folder);
  log.info({ event: 'embedded_postgresql_created', cluster }, `Creating a PostgreSQL database in ${cluster}`);
  await writeClusterRecord(dataDir, record);
  await createCluster(cluster, { installation, user, password: record.password });
  await claimOutsideCluster(dataDir, record.folder);
  return { record, server: new ClusterServer(cluster, installation, user) };
}

function existingCluster(dataDir: string, record: ClusterRecord | undefined): string | undefined {
  const cluster = resolve(dataDir, record?.folder ?? 'postgres');
  const exists = existsSync(join(cluster, 'PG_VERSION'));
  if (exists && !record) {
    throw new StartupError(`there is a database in ${cluster}, but its password is gone with ${recordFile(dataDir)}`);
  }
  if (!exists && record?.complete) {
    throw new StartupError(
      `the database is gone from ${cluster}: put it back, or delete ${recordFile(dataDir)} to begin with an empty one`,
    );
  }
  return exists ? cluster : undefined;
}

async function newRecord(dataDir: string, user: ServerUser, log: Log): Promise<ClusterRecord> {
  const folder = await chooseClusterFolder(dataDir, user, log);
  return { folder, port: await findFreePort(), password: newPassword(), complete: false };
}

async function checkUsable(cluster: string, { major }: Installation, user: ServerUser): Promise<void> {
  if (!(await canEnter(user, cluster))) {
    throw new StartupError(`PostgreSQL runs as ${user.name}, which cannot enter ${cluster}: let it pass, or move it`);
  }
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (version !== major) {
    throw new StartupError(
      `the database in ${cluster} was made by PostgreSQL ${version}, and this Millrace brings ${major}: dump it with the old one and restore it here`,
    );
  }
}

async function chooseClusterFolder(dataDir: string, user: ServerUser, log: Log): Promise<string> {
  if (await canEnter(user, dataDir)) return 'postgres';
  // The name is random and not derived from the data folder: deleting the data folder means starting from scratch.
  const place = await makeSharedFolder(randomUUID());
  log.info(
    { event: 'embedded_postgresql_relocated', place },
    `PostgreSQL runs as ${user.name}, which cannot enter ${dataDir}: the database is kept in ${place}`,
  );
  return `${place}/postgres`;
}

export function canEnter(user: ServerUser, folder: string): Promise<boolean> {
  if (user.ids) return canDo(user, ['sh', '-c', 'cd "$1"', 'sh', folder]);
  return stat(`${folder}/.`).then(
    () => true,
    () => false,
  );
}

/** A copy of a data folder may name the original's cluster, so the cluster records its owner. */
async function claimOutsideCluster(dataDir: string, cluster: string): Promise<void> {
  if (!isAbsolute(cluster)) return;
  const file = join(dirname(cluster), 'data-folder.json');
  const mine = await identityOf(dataDir);
  const owner = existsSync(file) ? FolderIdentity.parse(JSON.parse(await readFile(file, 'utf8'))) : undefined;
  if (owner && owner.inode !== mine.inode && (await isStillThere(owner))) {
    throw new StartupError(
      `${dataDir} is a copy of ${owner.path}, but their database is in ${cluster}: copy ${dirname(cluster)} too and name the copy as "folder" in ${join(dataDir, 'postgres.json')}`,
    );
  }
  await writeFile(file, JSON.stringify(mine), { mode: 0o600 });
}

async function isStillThere({ path, inode }: FolderIdentity): Promise<boolean> {
  return existsSync(path) && (await identityOf(path)).inode === inode;
}

interface NewCluster {
  readonly installation: Installation;
  readonly user: ServerUser;
  readonly password: string;
}

async function createCluster(cluster: string, { installation, user, password }: NewCluster): Promise<void> {
  await mkdir(dirname(cluster), { recursive: true });
  await removeUnfinished(cluster);
  const draft = `${draftPrefix(cluster)}${process.pid}`;
  const passwordFile = join(draft, 'password');
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600, flag: 'wx' });
  const { ids } = user;
  if (ids) await Promise.all([draft, passwordFile].map((path) => chown(path, ids.uid, ids.gid)));
  try {
    await runAs(user, [installation.initdb, ...initdbOptions(join(draft, 'cluster'), passwordFile)]);
    await renameWithRetries(join(draft, 'cluster'), cluster);
  } catch (error) {
    throw new StartupError(`cannot make the database in ${cluster}: ${(error as Error).message}`);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function initdbOptions(folder: string, passwordFile: string): string[] {
  return [
    '-D',
    folder,
    '--username',
    SUPERUSER,
    '--pwfile',
    passwordFile,
    '--auth',
    'scram-sha-256',
    // The built-in locale does not depend on the locales of the system or their versions.
    '--encoding',
    'UTF8',
    '--locale',
    'C',
    '--locale-provider',
    'builtin',
    '--builtin-locale',
    'C.UTF-8',
    '--no-instructions',
  ];
}

/** Removes the leftovers of a killed start. A program of that start may still write there, hence the retries. */
async function removeUnfinished(cluster: string): Promise<void> {
  const names = await readdir(dirname(cluster));
  const unfinished = names.filter((name) => name.startsWith(basename(draftPrefix(cluster))));
  for (const name of unfinished) {
    await rm(join(dirname(cluster), name), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

function draftPrefix(cluster: string): string {
  return `${cluster}.unfinished-`;
}
