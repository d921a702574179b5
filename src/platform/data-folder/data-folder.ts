import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { StartupError } from '../errors/startup-error.js';
import { renameWithRetries } from './rename-with-retries.js';

interface DataFolder {
  readonly path: string;
}

/** Distinguishes a folder from its copies. */
export const FolderIdentity = z.object({
  path: z.string(),
  device: z.string(),
  inode: z.string(),
});
export type FolderIdentity = z.infer<typeof FolderIdentity>;

export async function identityOf(path: string): Promise<FolderIdentity> {
  const { dev, ino } = await stat(path, { bigint: true });
  return { path: await realpath(path), device: String(dev), inode: String(ino) };
}

export async function openDataFolder(path: string): Promise<DataFolder> {
  try {
    await makePrivateFolder(path);
    const probe = join(path, `.write-probe-${process.pid}`);
    await writeFile(probe, '');
    await rm(probe);
    return { path: await realpath(path) };
  } catch (error) {
    throw new StartupError(`MILLRACE_DATA_DIR: cannot write to the data folder ${path}: ${(error as Error).message}`);
  }
}

/** The database server never runs as root, so it must be able to enter root's folder. */
async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await mkdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  await chmod(path, process.getuid?.() === 0 ? 0o711 : 0o700);
}

export const adminKeyFile = (dataDir: string) => join(dataDir, 'admin-key');

export async function readAdminKey(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(adminKeyFile(dataDir), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The file is readable by the owner only and never half written. */
export async function writeAdminKey(dataDir: string, key: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const file = adminKeyFile(dataDir);
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${key}\n`, { mode: 0o600, flag: 'wx' });
  await renameWithRetries(draft, file);
}
