import { createHash, randomBytes } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../platform/config.js';

const FILE = 'secret-key';

/** Each encrypted text begins with the id of its key. */
export interface SecretKey {
  id: string;
  bytes: Buffer;
}

/** The first key encrypts; the others only decrypt. If none is configured, one is created in the data folder. */
export async function loadSecretKeys({
  secretKeys,
  dataDir,
}: Pick<Config, 'secretKeys' | 'dataDir'>): Promise<SecretKey[]> {
  const texts = secretKeys.length ? secretKeys : [await keptKey(dataDir)];
  return texts.map(toKey);
}

function toKey(text: string): SecretKey {
  const bytes = createHash('sha256').update(`millrace credentials ${text}`).digest();
  const id = createHash('sha256').update('id').update(bytes).digest('hex').slice(0, 8);
  return { id, bytes };
}

/** If several processes start in one folder at once, one creates the key and all read it. */
async function keptKey(dataDir: string): Promise<string> {
  const path = join(dataDir, FILE);
  const kept = await readKey(path);
  if (kept) return kept;
  const made = `${path}.${process.pid}`;
  const file = await open(made, 'w', 0o600);
  try {
    await file.writeFile(`${randomBytes(32).toString('base64url')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await link(made, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(made);
  return (await readKey(path)) ?? keptKey(dataDir);
}

async function readKey(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
