import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { ADVISORY_LOCKS } from '../../src/platform/database/advisory-locks.js';
import { administer } from '../harness/administration.js';
import { newDataFolder } from '../harness/data-folder.js';
import { startMillrace } from './millrace-process.js';
import { newDatabase } from './new-database.js';

vi.setConfig({ testTimeout: 120_000 });
const WAIT_OPTIONS = { timeout: 60_000, interval: 50 };

/** Ends with one sentence and without a stack. */
async function complaintOf(databaseUrl: string, meanwhile?: () => Promise<unknown>): Promise<string> {
  const millrace = startMillrace({ MILLRACE_DATA_DIR: newDataFolder(), PORT: '0', DATABASE_URL: databaseUrl });
  await meanwhile?.();
  expect(await millrace.ended, millrace.stderr).toEqual({ code: 1, signal: null });
  expect(`${millrace.stdout}${millrace.stderr}`).not.toMatch(/^ {4}at /m);
  expect(millrace.stderr.trim().split('\n')).toHaveLength(1);
  return millrace.stderr;
}

/** A database user with a limited number of connections. */
async function asUserWith(connections: number): Promise<string> {
  const url = new URL(await newDatabase());
  const name = `limited_${randomBytes(6).toString('hex')}`;
  const database = url.pathname.slice(1);
  await administer(url.href, `CREATE ROLE ${name} LOGIN PASSWORD 'x' CONNECTION LIMIT ${connections}`);
  await administer(url.href, `ALTER DATABASE ${database} OWNER TO ${name}`);
  onTestFinished(async () => {
    const server = inject('postgresUrl');
    await administer(server, `ALTER DATABASE ${database} OWNER TO CURRENT_USER`);
    await administer(url.href, `REASSIGN OWNED BY ${name} TO CURRENT_USER`, `DROP OWNED BY ${name}`);
    await administer(server, `DROP ROLE ${name}`);
  });
  return Object.assign(new URL(url), { username: name, password: 'x' }).href;
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

it('says that the database takes no connection', async () => {
  expect(await complaintOf(await asUserWith(0))).toMatch(/^DATABASE_URL: .*too many connections for role/);
});

it('says that the database has no connection left, where the first ones were taken', async () => {
  expect(await complaintOf(await asUserWith(1))).toMatch(
    /^cannot start: the database has no connection left; raise max_connections/,
  );
});

it('says that the disk is full where a migration finds that out', async () => {
  const url = await newDatabase();
  const client = await connected(url);
  await client.query(`
    CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
    CREATE EVENT TRIGGER full_disk ON ddl_command_start EXECUTE FUNCTION refuse()`);
  expect(await complaintOf(url)).toBe(
    'cannot bring the database up to date: could not extend file: No space left on device\n',
  );
});

it('says so if the server goes away during the migration', async () => {
  const url = await newDatabase();
  const client = await connected(url);
  await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.migration]);
  const cut = () =>
    vi.waitFor(async () => {
      const { rowCount } = await client.query(`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'millrace-migrate' AND wait_event = 'advisory'`);
      expect(rowCount).toBe(1);
    }, WAIT_OPTIONS);
  expect(await complaintOf(url, cut)).toMatch(/^cannot bring the database up to date: .*terminat/);
});
