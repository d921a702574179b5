import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { createPool } from './pool.js';

const given = testDatabase();
beforeAll(() => given.database.db.execute(sql`CREATE TABLE notes (text text)`));

const write = (text: string) => sql`INSERT INTO notes VALUES (${text})`;
const notes = async () => (await given.database.db.execute<{ text: string }>(sql`SELECT text FROM notes`)).rows;

describe('a transaction', () => {
  it('writes all or nothing', async () => {
    const failing = given.database.transaction(async (db) => {
      await db.execute(write('lost'));
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await given.database.transaction((db) => db.execute(write('kept')));
    expect(await notes()).toEqual([{ text: 'kept' }]);
  });

  it('is a failure when a failed statement in it was swallowed', async () => {
    const spoiled = given.database.transaction(async (db) => {
      await db.execute(sql`SELECT 1/0`).catch(() => undefined);
    });
    await expect(spoiled).rejects.toThrow('rolled back');
  });

  it('gives its connection back, whatever becomes of it', async () => {
    const { database } = given;
    const cut = () =>
      database.transaction(async (db) => {
        const { rows } = await db.execute<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
        await database.db.execute(sql`SELECT pg_terminate_backend(${rows[0]?.pid})`);
        await db.execute(write('never'));
      });
    for (let time = 0; time < 15; time++) await expect(cut()).rejects.toThrow();
    expect(database.pool.totalCount - database.pool.idleCount).toBe(0);
    expect(await notes()).toEqual([{ text: 'kept' }]);
  });
});

describe('a pool', () => {
  const url = new URL(given.url);
  url.searchParams.set('options', '-c statement_timeout=4321');
  const pool = createPool({ connectionString: url.href, session: '-c synchronous_commit=off -c search_path=bullmq' });
  afterAll(() => pool.end());

  it('adds its own session settings to those of the address', async () => {
    const shown = async (name: string) => (await pool.query(`SHOW ${name}`)).rows[0][name];
    expect(await shown('statement_timeout')).toBe('4321ms');
    expect(await shown('search_path')).toBe('bullmq');
    expect(await shown('synchronous_commit')).toBe('off');
  });
});
