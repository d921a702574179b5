import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import { Database } from '../../src/platform/database/database.js';
import { withDatabase } from './database-url.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The private server's maintenance database. */
    postgresUrl: string;
    /** A database on it that has every migration, copied for each test file. */
    templateDatabase: string;
  }
}

/** A migrated database of this test file's own, dropped when the file is done. */
export function testDatabase(): { readonly url: string; readonly database: Database } {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = withDatabase(inject('postgresUrl'), name);
  let database: Database | undefined;

  beforeAll(async () => {
    await administer(`CREATE DATABASE ${name} TEMPLATE ${inject('templateDatabase')}`);
    database = new Database(url);
  });
  afterAll(async () => {
    await database?.onApplicationShutdown();
    await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });

  return {
    url,
    get database() {
      if (!database) throw new Error('testDatabase() is ready only inside tests and hooks');
      return database;
    },
  };
}

async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
