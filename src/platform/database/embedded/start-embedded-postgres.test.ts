import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { newDataFolder, serverOf } from '../../../../test/harness/data-folder.js';
import { runProgram } from '../../../../test/harness/program.js';
import { commandLineOf } from '../../data-folder/running-process.js';
import { StartupError } from '../../errors/startup-error.js';
import { createLog } from '../../log/log.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres.js';

const log = createLog({ logLevel: 'silent', logFormat: 'json' });

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  onTestFinished(() => postgres.stop());
  return postgres;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

it('offers a UTF-8 database on loopback alone, behind a password', async () => {
  const { url } = await start(newDataFolder());

  const settings = ['server_encoding', 'listen_addresses', 'unix_socket_directories', 'max_connections'];
  const select = settings.map((name) => `current_setting('${name}')`).join(', ');
  expect(await query(url, `SELECT current_database(), ${select}`)).toEqual([
    'millrace',
    'UTF8',
    '127.0.0.1',
    '',
    '300',
  ]);
  expect(await query(url, "SELECT upper('é')")).toEqual(['É']);
  const wrongPassword = url.replace(/:[^:@]+@/, ':guess@');
  await expect(query(wrongPassword, 'SELECT 1')).rejects.toThrow('password authentication failed');
});

it('finds its data again at the same address after a stop', async () => {
  const dataDir = newDataFolder();
  const first = await start(dataDir);
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();

  const second = await start(dataDir);

  expect(second).toMatchObject({ url: first.url, adopted: false });
  expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([42]);
});

it('leaves time for other work until the server is up, and then waits for that work', async () => {
  const dataDir = newDataFolder();
  const seen: string[] = [];
  const meanwhile = async () => {
    seen.push(
      await serverOf(dataDir).then(
        ({ status }) => status,
        () => 'not running',
      ),
    );
    await sleep(1_000);
    seen.push('work done');
  };

  const postgres = await startEmbeddedPostgres({ dataDir, log, meanwhile });
  onTestFinished(() => postgres.stop());

  expect(seen).toEqual(['not running', 'work done']);
  expect(await query(postgres.url, 'SELECT 1')).toEqual([1]);
});

it('moves to another port when its own was taken while it was down', async () => {
  const dataDir = newDataFolder();
  const first = await start(dataDir);
  await first.stop();
  const rival = createServer().listen(Number(new URL(first.url).port), '127.0.0.1');
  onTestFinished(() => void rival.close());

  const second = await start(dataDir);

  expect(second.url).not.toBe(first.url);
  expect(await query(second.url, 'SELECT 1')).toEqual([1]);
});

it('keeps the password to itself', async () => {
  const dataDir = newDataFolder();
  const program = runProgram<{ url: string }>('embedded-postgres', [dataDir]);
  const { password } = new URL((await program.said).url);

  expect((await stat(join(dataDir, 'postgres.json'))).mode & 0o777).toBe(0o600);
  expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.json']);
  const { pid } = await serverOf(dataDir);
  expect(await commandLineOf(pid)).not.toContain(password);
  expect(await readFile(join(dataDir, 'postgres/server.log'), 'utf8')).not.toContain(password);
  await program.end('SIGTERM');
  expect(program.printed()).toContain('PostgreSQL stopped');
  expect(program.printed()).not.toContain(password);
});

it('starts afresh where an earlier first start was killed in the middle', async () => {
  const dataDir = newDataFolder();
  const program = runProgram('embedded-postgres', [dataDir]);
  program.said.catch(() => undefined);
  const names = () => readdir(dataDir).catch(() => []);
  await expect.poll(names, { interval: 5, timeout: 20_000 }).toContainEqual(expect.stringContaining('unfinished'));
  await program.end('SIGKILL');

  const { url } = await start(dataDir);

  expect(await query(url, 'SELECT 1')).toEqual([1]);
  expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.json']);
});

it('refuses a running server that does not know its password', async () => {
  const dataDir = newDataFolder();
  const { url } = await start(dataDir);
  await query(url, "ALTER ROLE millrace PASSWORD 'changed by hand'");

  const second = start(dataDir);

  await expect(second).rejects.toThrow(StartupError);
  await expect(second).rejects.toThrow('password authentication failed');
});

it('shows what PostgreSQL said when it does not start', async () => {
  const dataDir = newDataFolder();
  await (await start(dataDir)).stop();
  await appendFile(join(dataDir, 'postgres/postgresql.conf'), 'work_mem = plenty\n');

  const failed = start(dataDir);

  await expect(failed).rejects.toThrow(StartupError);
  await expect(failed).rejects.toThrow('invalid value for parameter "work_mem": "plenty"');
});

it('does not begin with an empty database where there was a full one', async () => {
  const dataDir = newDataFolder();
  await (await start(dataDir)).stop();
  await rm(join(dataDir, 'postgres'), { recursive: true });

  await expect(start(dataDir)).rejects.toThrow(`the database is gone from ${join(dataDir, 'postgres')}`);
});

it('says so when a database has lost its password', async () => {
  const dataDir = newDataFolder();
  await mkdir(join(dataDir, 'postgres'), { recursive: true });
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '18\n');

  await expect(start(dataDir)).rejects.toThrow('its password is gone');
});

it('refuses a data folder it cannot write to', async () => {
  await expect(start('/proc/millrace')).rejects.toThrow('cannot write to the data folder /proc/millrace: ');
});
