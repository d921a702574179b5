import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const adminKeyFile = (dataDir: string) => join(dataDir, 'admin-key');

export async function readAdminKey(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(adminKeyFile(dataDir), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Readable by the owner only, and never half written. */
export async function writeAdminKey(dataDir: string, key: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const file = adminKeyFile(dataDir);
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${key}\n`, { mode: 0o600, flag: 'wx' });
  await rename(draft, file);
}
