import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { FolderIdentity, identityOf } from '../../data-folder/data-folder.js';
import { StartupError } from '../../errors/startup-error.js';
import type { Log } from '../../log/log.js';
import { canDo, type ServerUser } from './server-user.js';
import { makeSharedFolder } from './shared-folder.js';

/** Decides where a new cluster goes: into the data folder if the server's user can get there. */
export async function chooseClusterFolder(dataDir: string, user: ServerUser, log: Log): Promise<string> {
  if (await canEnter(user, dataDir)) return 'postgres';
  // A name of its own, not one derived from the data folder: who deletes that folder wants to start afresh.
  const place = await makeSharedFolder(randomUUID());
  log.info(`PostgreSQL runs as ${user.name}, which cannot enter ${dataDir}: the database is kept in ${place}`);
  return `${place}/postgres`;
}

export function canEnter(user: ServerUser, folder: string): Promise<boolean> {
  return canDo(user, ['sh', '-c', 'cd "$1"', 'sh', folder]);
}

/**
 * A copy of a data folder names the same cluster as the original if that had to go elsewhere. The cluster therefore
 * records whose it is, and a copy is refused as long as the original exists.
 */
export async function claimOutsideCluster(dataDir: string, cluster: string): Promise<void> {
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
