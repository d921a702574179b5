import { expect, it, onTestFinished } from 'vitest';
import { startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { exhaustedResource } from '../../platform/database/exhausted.js';
import { OperationsModule } from '../operations.module.js';
import { Health } from './health.js';

const db = testDatabase();

it.each([
  [Object.assign(new Error('sorry, too many clients already'), { code: '53300' }), 'connections_exhausted'],
  [new Error('query failed', { cause: Object.assign(new Error('x'), { code: '53100' }) }), 'disk_full'],
  [new AggregateError([Object.assign(new Error('x'), { code: 'ENOSPC' })]), 'disk_full'],
  [new Error('timeout exceeded when trying to connect'), 'connections_exhausted'],
  [Object.assign(new Error('x'), { code: '23505' }), undefined],
  ['53300', undefined],
])('tells what %o is about', (error, resource) => {
  expect(exhaustedResource(error)).toBe(resource);
});

it.each([
  ['53100', 'disk_full'],
  ['53300', 'connections_exhausted'],
])('answers SQLSTATE %s with 503 and the code %s, and reports it as an alert', async (state, code) => {
  const api = await startApi({
    databaseUrl: db.url,
    config: { roles: new Set(['api']), adminKey: 'an-admin-key-of-these-tests-only' },
    modules: [OperationsModule],
  });
  onTestFinished(async () => {
    await db.database.pool.query('DROP TRIGGER IF EXISTS refuse ON users');
    await api.stop();
  });
  await db.database.pool.query(`
    CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'could not extend file' USING ERRCODE = '${state}'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION refuse()`);
  const answer = await api.send({
    method: 'POST',
    url: '/api/v1/users',
    key: api.adminKey,
    payload: { externalId: code },
  });
  expect(answer.json()).toMatchObject({ status: 503, code });
  const { status, alerts } = await api.app.get(Health).read();
  expect(status).toBe('critical');
  expect(alerts.map((alert) => alert.code)).toContain(code);
});
