import pg from 'pg';
import { expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { lostConnection } from './lost-connection.js';

const given = testDatabase();

it('knows that nobody listens', async () => {
  const error = await new pg.Client({ host: '127.0.0.1', port: 1 }).connect().catch((reason: unknown) => reason);
  expect(lostConnection(error)).toBe('connect ECONNREFUSED 127.0.0.1:1');
});

it('knows a session that was ended by the server, also through the query builder', async () => {
  const ended = given.database.db.execute('SELECT pg_terminate_backend(pg_backend_pid())');
  const error = await ended.catch((reason: unknown) => reason);
  expect(lostConnection(error)).toBe('terminating connection due to administrator command');
});

it('does not take the fault of a statement for one', async () => {
  const error = await given.database.db.execute('SELECT nonsense').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(lostConnection(error)).toBeUndefined();
});
