import { spawn } from 'node:child_process';
import { chown, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { newDataFolder, serverOf } from '../../../../test/harness/data-folder.js';
import { isRunning } from '../../data-folder/running-process.js';
import { createLog } from '../../log/log.js';
import { isServerCommand } from './postmaster-file.js';
import { startEmbeddedPostgres } from './start-embedded-postgres.js';

async function start(dataDir: string) {
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLog({ logLevel: 'silent', logFormat: 'json' }) });
  onTestFinished(() => postgres.stop());
  return postgres;
}

/** A process of the server's own user, which PostgreSQL would mistake for a rival. */
function startStranger({ uid, gid }: { uid: number; gid: number }): number {
  const stranger = spawn('sleep', ['60'], { cwd: '/', ...(process.getuid?.() === 0 && { uid, gid }) });
  onTestFinished(() => void stranger.kill());
  return stranger.pid ?? 0;
}

it.runIf(process.platform !== 'win32')(
  'neither adopts nor harms a process that got the id of a server that is gone',
  async () => {
    const dataDir = newDataFolder();
    await (await start(dataDir)).stop();
    const cluster = join(dataDir, 'postgres');
    const owner = await stat(cluster);
    const stranger = startStranger(owner);
    const port = 1;
    const leftOver = [stranger, cluster, 1_700_000_000, port, '', '127.0.0.1', '  1234567     99999', 'ready   ', ''];
    await writeFile(join(cluster, 'postmaster.pid'), leftOver.join('\n'));
    await chown(join(cluster, 'postmaster.pid'), owner.uid, owner.gid);

    const postgres = await start(dataDir);

    expect(postgres.adopted).toBe(false);
    expect((await serverOf(dataDir)).pid).not.toBe(stranger);
    expect(await isRunning(stranger)).toBe(true);
  },
);

it('survives a file that a power cut left empty', async () => {
  const dataDir = newDataFolder();
  await (await start(dataDir)).stop();
  const file = join(dataDir, 'postgres/postmaster.pid');
  const { uid, gid } = await stat(join(dataDir, 'postgres'));
  await writeFile(file, '', { mode: 0o600 });
  await chown(file, uid, gid);

  await start(dataDir);

  expect(await readFile(file, 'utf8')).toContain('ready');
});

it('recognises the server of a cluster by its command line, as each system shows it', () => {
  expect(isServerCommand('/opt/bin/postgres -D /data/postgres -p 1', '/data/postgres', 'linux')).toBe(true);
  expect(isServerCommand('/opt/bin/postgres -D /Data/postgres -p 1', '/data/postgres', 'linux')).toBe(false);
  const shown = '"C:/Millrace/bin/postgres.exe" -D "C:/Users/Ada L/data/postgres" -p 1';
  expect(isServerCommand(shown, 'c:\\users\\Ada L\\data\\postgres', 'win32')).toBe(true);
  expect(isServerCommand(shown, 'C:\\Users\\Ada L\\data', 'win32')).toBe(false);
});
