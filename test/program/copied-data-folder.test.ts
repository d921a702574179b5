import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { newDataFolder } from '../harness/data-folder.js';
import { ask, becomesReady } from './api-client.js';
import { databaseUrlOf, postgresOn } from './embedded-server.js';
import { type MillraceProcess, startMillrace } from './millrace-process.js';

vi.setConfig({ testTimeout: 300_000 });

const start = (dataDir: string) => startMillrace({ MILLRACE_DATA_DIR: dataDir, PORT: '0' });

/** With owners and modes, as a backup would; files that PostgreSQL removes meanwhile are no error. */
function copyOf(dataDir: string): string {
  const copy = newDataFolder();
  try {
    execFileSync('cp', ['-a', dataDir, copy], { stdio: 'ignore' });
  } catch {
    // cp ends with 1 when a file was gone before it was read.
  }
  return copy;
}

async function createUser(millrace: MillraceProcess, dataDir: string, name: string): Promise<void> {
  const key = (await readFile(join(dataDir, 'admin-key'), 'utf8')).trim();
  const answer = await ask(`${await millrace.address()}/api/v1/users`, { key, body: { name } });
  expect(answer.status).toBe(201);
}

async function query<Row extends object>(dataDir: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: await databaseUrlOf(dataDir) });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function userNames(dataDir: string): Promise<string[]> {
  return (await query<{ name: string }>(dataDir, 'SELECT name FROM users ORDER BY name')).map(({ name }) => name);
}

/** The copy would publish it, too. */
async function planPost(dataDir: string): Promise<void> {
  await query(
    dataDir,
    `WITH account AS (
      INSERT INTO accounts (user_id, platform, name, credentials)
      SELECT id, 'webhook', 'mine', '' FROM users LIMIT 1 RETURNING *
    )
    INSERT INTO publications (user_id, account_id, platform, content, scheduled_at)
    SELECT user_id, id, platform, '{"text": "Tomorrow", "mediaUrls": []}', now() + interval '1 day' FROM account`,
  );
}

async function expectToWorkApart(original: string, copy: string, first: MillraceProcess): Promise<void> {
  const second = start(copy);
  await Promise.all([becomesReady(await first.address()), becomesReady(await second.address())]);
  expect(second.stdout).toContain('"event":"data_folder_copied"');
  expect(second.stdout).toContain('"event":"publishing_held"');
  expect(first.stdout).not.toContain('"event":"publishing_held"');
  const [server, serverOfCopy] = [await postgresOn(original), await postgresOn(copy)];
  expect(serverOfCopy?.pid).not.toBe(server?.pid);
  expect(serverOfCopy?.port).not.toBe(server?.port);

  await createUser(first, original, 'only-original');
  await createUser(second, copy, 'only-copy');

  expect(await userNames(original)).toEqual(expect.not.arrayContaining(['only-copy']));
  expect(await userNames(original)).toEqual(expect.arrayContaining(['before', 'only-original']));
  expect(await userNames(copy)).toEqual(expect.not.arrayContaining(['only-original']));
  expect(await userNames(copy)).toEqual(expect.arrayContaining(['before', 'only-copy']));
  const third = start(copy);
  expect(await third.ended).toEqual({ code: 1, signal: null });
  expect(third.stderr).toContain(`Millrace already runs on ${copy} (process ${second.pid})`);
}

describe('a copy of a data folder runs beside the original with its own data', () => {
  it('taken after a kill, while the database server of the original still runs', async () => {
    const original = newDataFolder();
    const before = start(original);
    await before.address();
    await createUser(before, original, 'before');
    await planPost(original);
    await before.end('SIGKILL');
    expect(await postgresOn(original)).toBeDefined();
    const copy = copyOf(original);

    await expectToWorkApart(original, copy, start(original));
  });
});
