import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Postmaster, runningPostmaster } from '../../src/platform/database/embedded/postmaster-file.js';
import { SHARED_FOLDER } from '../../src/platform/database/embedded/shared-folder.js';

/** Returns the path of a data folder that does not exist yet. Its server and its files are removed when the test ends. */
export function newDataFolder(parent = tmpdir()): string {
  const dataDir = join(parent, `millrace-data-${randomUUID()}`);
  onTestFinished(() => removeDataFolder(dataDir));
  return dataDir;
}

export async function clusterOf(dataDir: string): Promise<string> {
  return resolve(dataDir, JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8')).folder);
}

/** Returns the running server of a data folder. */
export async function serverOf(dataDir: string): Promise<Postmaster> {
  const server = await runningPostmaster(await clusterOf(dataDir));
  if (!server) throw new Error(`no PostgreSQL runs on ${dataDir}`);
  return server;
}

export async function removeDataFolder(dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, 'postgres.json'))) {
    const cluster = await clusterOf(dataDir);
    const server = await runningPostmaster(cluster);
    if (server) process.kill(server.pid, 'SIGKILL');
    if (cluster.startsWith(SHARED_FOLDER)) await rm(dirname(cluster), { recursive: true, maxRetries: 10 });
  }
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
}
