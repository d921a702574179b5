import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, inject } from 'vitest';
import { Database } from '../../src/platform/database/database.js';
import { administer, dropDatabase, withDatabase } from './administration.js';

/** Creates a migrated database for this test file, which is dropped at the end of the file. */
export function testDatabase(): { readonly url: string; readonly database: Database } {
  const server = inject('postgresUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = withDatabase(server, name);
  let database: Database | undefined;

  beforeAll(async () => {
    await administer(server, `CREATE DATABASE ${name} TEMPLATE ${inject('templateDatabase')}`);
    database = new Database(url);
  });
  afterAll(async () => {
    await database?.onApplicationShutdown();
    await dropDatabase(server, name);
  });

  return {
    url,
    get database() {
      if (!database) throw new Error('testDatabase() is ready only inside tests and hooks');
      return database;
    },
  };
}
