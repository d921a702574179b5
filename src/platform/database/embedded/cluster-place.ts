import { randomUUID } from 'node:crypto';
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
