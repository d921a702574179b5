import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDataFolder } from '../src/platform/data-folder/data-folder.js';
import { holdDataFolder } from '../src/platform/data-folder/hold-data-folder.js';
import { readClusterRecord } from '../src/platform/database/embedded/cluster-record.js';
import { runningPostmaster } from '../src/platform/database/embedded/postmaster-file.js';
import { SHARED_FOLDER } from '../src/platform/database/embedded/shared-folder.js';
import { StartupError } from '../src/platform/errors/startup-error.js';

/** Only a folder with this file is ever emptied. */
const MARKER = 'millrace-demo';
const MARKER_TEXT = 'This folder belongs to the demo of Millrace, which empties it at every start.\n';

/** Creates the demo's folder, or empties that of an earlier demo. Refuses any other folder, and one that is in use. */
export async function openDemoFolder(path: string): Promise<void> {
  const names = existsSync(path) ? await readdir(path) : [];
  if (names.length > 0 && !names.includes(MARKER)) {
    throw new StartupError(
      `${path} holds files that are not the demo's. Move them, or start the demo in another folder.`,
    );
  }
  await openDataFolder(path);
  await writeFile(join(path, MARKER), MARKER_TEXT);
  const lock = await holdDataFolder(path);
  try {
    await removeDatabase(path);
    const kept = (name: string) => name === MARKER || name.startsWith('millrace.lock.');
    for (const name of names) if (!kept(name)) await rm(join(path, name), { recursive: true, force: true });
  } finally {
    await lock.release();
  }
}

/** The folder of the database of a data folder, if it has one. */
export async function clusterOf(path: string): Promise<string | undefined> {
  const record = await readClusterRecord(path);
  return record && resolve(path, record.folder);
}

async function removeDatabase(path: string): Promise<void> {
  const cluster = await clusterOf(path);
  if (!cluster) return;
  const server = await runningPostmaster(cluster);
  if (server) process.kill(server.pid, 'SIGINT');
  while (await runningPostmaster(cluster)) await sleep(50);
  const isShared = cluster.startsWith(`${SHARED_FOLDER}/`);
  // On Windows the processes of a server keep its files open for a moment after its end.
  await rm(isShared ? dirname(cluster) : cluster, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
