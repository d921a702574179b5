import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readClusterRecord, urlOf } from '../../src/platform/database/embedded/cluster-record.js';
import { type Postmaster, runningPostmaster } from '../../src/platform/database/embedded/postmaster-file.js';
import { clusterOf } from '../harness/data-folder.js';

/** Returns the PostgreSQL server that runs on a data folder, if any. */
export async function postgresOn(dataDir: string): Promise<Postmaster | undefined> {
  if (!existsSync(join(dataDir, 'postgres.json'))) return undefined;
  return runningPostmaster(await clusterOf(dataDir));
}

export async function databaseUrlOf(dataDir: string): Promise<string> {
  const record = await readClusterRecord(dataDir);
  if (!record) throw new Error(`there is no database in ${dataDir}`);
  return urlOf(record);
}
