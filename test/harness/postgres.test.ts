import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { ownPostgres } from './postgres.js';

describe('ownPostgres', () => {
  const own = ownPostgres();

  const query = async (sql: string) => {
    const client = new pg.Client({ connectionString: own.url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };

  it('has every migration', async () => {
    expect(await query('SELECT count(*)::int FROM drizzle.__drizzle_migrations')).not.toEqual([{ count: 0 }]);
  });

  it('stays dead when killed, and comes back at the same address with what was committed', async () => {
    const { url } = own;
    await query('CREATE TABLE kept AS SELECT 1 AS one');
    await own.kill();
    await expect(query('SELECT 1')).rejects.toThrow('ECONNREFUSED');
    await own.restart();
    expect(own.url).toBe(url);
    expect(await query('SELECT one FROM kept')).toEqual([{ one: 1 }]);
  });
});
