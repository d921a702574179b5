import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { newDataFolder, serverOf } from '../../../../test/harness/data-folder.js';
import { runProgram } from '../../../../test/harness/program.js';
import { isRunning } from '../../data-folder/running-process.js';
import { createLog } from '../../log/log.js';
import type { Postmaster } from './postmaster-file.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres.js';

const WAIT_OPTIONS = { timeout: 20_000, interval: 100 };

let dataDir: string;
beforeEach(() => {
  dataDir = newDataFolder();
});

async function start(): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLog({ logLevel: 'silent', logFormat: 'json' }) });
  onTestFinished(() => postgres.stop());
  return postgres;
}

function poolOn(url: string) {
  const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 1_000 });
  pool.on('error', () => undefined);
  onTestFinished(() => pool.end());
  return async (sql: string) => (await pool.query({ text: sql, rowMode: 'array' })).rows.flat();
}

/** Resolves when another server is ready. Processes of a killed one may answer for a moment longer. */
async function successorOf({ pid }: Postmaster): Promise<Postmaster> {
  for (;;) {
    const server = await serverOf(dataDir).catch(() => undefined);
    if (server?.status === 'ready' && server.pid !== pid) return server;
    await sleep(50);
  }
}

it('brings a killed server back on the same port, so that a pool goes on', async () => {
  const { url } = await start();
  const query = poolOn(url);
  await query('CREATE TABLE kept AS SELECT 42 AS answer');
  const killed = await serverOf(dataDir);
  process.kill(killed.pid, 'SIGKILL');

  expect((await successorOf(killed)).port).toBe(killed.port);
  await expect.poll(() => query('SELECT answer FROM kept').catch(String), WAIT_OPTIONS).toEqual([42]);
});

it('brings back a server that somebody told to stop while clients hold on to it', async () => {
  const { url } = await start();
  const query = poolOn(url);
  await query('SELECT 1');
  const stopped = await serverOf(dataDir);
  process.kill(stopped.pid, 'SIGTERM');

  expect((await successorOf(stopped)).port).toBe(stopped.port);
  await expect.poll(() => query('SELECT 1').catch(String), WAIT_OPTIONS).toEqual([1]);
});

it('adopts the server that outlived a killed Millrace, and then looks after it', async () => {
  const first = runProgram<{ url: string }>('embedded-postgres', [dataDir]);
  const { url } = await first.said;
  const outliving = await serverOf(dataDir);
  await first.end('SIGKILL');

  expect(await start()).toMatchObject({ url, adopted: true });

  expect(await serverOf(dataDir)).toEqual(outliving);
  process.kill(outliving.pid, 'SIGKILL');
  expect((await successorOf(outliving)).port).toBe(outliving.port);
});

it('starts again after both were killed', async () => {
  const first = runProgram<{ url: string }>('embedded-postgres', [dataDir]);
  const { url } = await first.said;
  await poolOn(url)('CREATE TABLE kept AS SELECT 42 AS answer');
  const { pid } = await serverOf(dataDir);
  await first.end('SIGKILL');
  process.kill(pid, 'SIGKILL');

  const second = await start();

  expect(second).toMatchObject({ url, adopted: false });
  expect(await poolOn(url)('SELECT answer FROM kept')).toEqual([42]);
});

it('waits for a server that is still stopping', async () => {
  const first = runProgram('embedded-postgres', [dataDir]);
  await first.said;
  const { pid } = await serverOf(dataDir);
  await first.end('SIGKILL');
  process.kill(pid, 'SIGINT');

  const { url } = await start();

  expect(await poolOn(url)('SELECT 1')).toEqual([1]);
  expect((await serverOf(dataDir)).pid).not.toBe(pid);
});

it('stops in peace when the server is gone already', async () => {
  const postgres = await start();
  const { pid } = await serverOf(dataDir);
  process.kill(pid, 'SIGKILL');
  await postgres.stop();
  await expect.poll(() => isRunning(pid), WAIT_OPTIONS).toBe(false);
});

it.runIf(process.platform !== 'win32')('keeps the server out of the reach of Ctrl+C', async () => {
  const program = runProgram<{ url: string }>('embedded-postgres', [dataDir]);
  const query = poolOn((await program.said).url);
  const [startedAt] = await query('SELECT pg_postmaster_start_time()');

  process.kill(-program.pid, 'SIGINT');
  await expect.poll(() => program.printed(), WAIT_OPTIONS).toContain('interrupted');

  expect(await query('SELECT pg_postmaster_start_time()')).toEqual([startedAt]);
});
