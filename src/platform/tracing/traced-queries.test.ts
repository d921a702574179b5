import { sql } from 'drizzle-orm';
import { expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { only, recordTraces } from '../../../test/tracing/recorder.js';
import { Database } from '../database/database.js';
import { traced } from './traced.js';

const given = testDatabase();

async function tracedDatabase() {
  const recorder = await recordTraces();
  const database = new Database(given.url);
  onTestFinished(() => database.onApplicationShutdown());
  return { ...recorder, database };
}

it('records each statement once, in the trace of who sent it, though many wait for a connection', async () => {
  const { database, spans } = await tracedDatabase();
  const numbers = Array.from({ length: 40 }, (_, number) => number);
  const ask = (number: number) => database.db.execute(sql`SELECT pg_sleep(0.01), ${sql.raw(`${number}`)} AS number`);
  await Promise.all(numbers.map((number) => traced({ name: `job ${number}`, kind: 'CONSUMER' }, () => ask(number))));
  const all = await spans();
  expect(all).toHaveLength(80);
  for (const number of numbers) {
    const { spanId } = only(all, `job ${number}`);
    const below = all.filter((span) => span.parentSpanId === spanId);
    expect(below.map(({ attributes }) => attributes['db.query.text'])).toEqual([
      `SELECT pg_sleep(0.01), ${number} AS number`,
    ]);
  }
});

it('records the statements of a transaction', async () => {
  const { database, spans } = await tracedDatabase();
  await traced({ name: 'job', kind: 'CONSUMER' }, () =>
    database.transaction((db) => db.execute(sql`SELECT count(*) FROM users`)),
  );
  const all = await spans();
  const { spanId } = only(all, 'job');
  const names = all.filter((span) => span.parentSpanId === spanId).map(({ name }) => name);
  expect(names).toEqual(['BEGIN', 'SELECT users', 'COMMIT']);
});

it('says how a statement failed by its code, and nothing of its values', async () => {
  const { collector, database, spans } = await tracedDatabase();
  const failing = traced({ name: 'job', kind: 'CONSUMER' }, () => database.db.execute(sql`SELECT ${'secret'}::int`));
  await expect(failing).rejects.toThrow('secret');
  expect(only(await spans(), 'SELECT')).toMatchObject({ failed: true, attributes: { 'error.type': '22P02' } });
  expect(collector.received).not.toContain('secret');
});

it('records no statement that belongs to no trace', async () => {
  const { database, spans } = await tracedDatabase();
  await database.db.execute(sql`SELECT 1`);
  await database.transaction((db) => db.execute(sql`SELECT 1`));
  expect(await spans()).toEqual([]);
});

it('leaves the connections as they are while there is no tracing', () => {
  expect(Object.hasOwn(given.database.pool, 'query')).toBe(false);
});
