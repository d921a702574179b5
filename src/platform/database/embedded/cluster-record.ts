import { randomBytes } from 'node:crypto';
import { chown, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { renameWithRetries } from '../../data-folder/rename-with-retries.js';
import { StartupError } from '../../errors/startup-error.js';

const ClusterRecord = z.object({
  folder: z.string(),
  port: z.number(),
  password: z.string(),
  /** Whether the cluster was ever complete. A complete cluster that is missing is lost, not unfinished. */
  complete: z.boolean(),
});
export type ClusterRecord = z.infer<typeof ClusterRecord>;

export const SUPERUSER = 'millrace';
export const DATABASE = 'millrace';

export const newPassword = () => randomBytes(24).toString('base64url');

export const recordFile = (dataDir: string) => join(dataDir, 'postgres.json');

export async function readClusterRecord(dataDir: string): Promise<ClusterRecord | undefined> {
  const path = recordFile(dataDir);
  try {
    return ClusterRecord.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StartupError(`cannot read ${path}, which holds the database's password: ${(error as Error).message}`);
  }
}

export async function writeClusterRecord(dataDir: string, record: ClusterRecord): Promise<void> {
  const draft = `${recordFile(dataDir)}.draft`;
  await writeFile(draft, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600, flush: true });
  if (process.getuid?.() === 0) {
    // A folder of an ordinary user stays usable for that user after a start by root.
    const { uid, gid } = await stat(dataDir);
    await chown(draft, uid, gid);
  }
  await renameWithRetries(draft, recordFile(dataDir));
}

export function urlOf({ port, password }: Pick<ClusterRecord, 'port' | 'password'>, database = DATABASE): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;
}
