import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StartupError } from '../../errors/startup-error.js';
import type { Log } from '../../log/log.js';
import { canEnter, chooseClusterFolder, claimOutsideCluster } from './cluster-place.js';
import {
  type ClusterRecord,
  newPassword,
  readClusterRecord,
  recordFile,
  writeClusterRecord,
} from './cluster-record.js';
import { ClusterServer } from './cluster-server.js';
import { createCluster } from './create-cluster.js';
import { findFreePort } from './free-port.js';
import { findInstallation, type Installation } from './installation.js';
import { chooseServerUser, type ServerUser } from './server-user.js';

export interface Cluster {
  readonly record: ClusterRecord;
  readonly server: ClusterServer;
}

/** Finds the data folder's cluster, or makes it the first time. */
export async function openCluster(dataDir: string, log: Log): Promise<Cluster> {
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
  log.info(`making a PostgreSQL database in ${cluster}`);
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
