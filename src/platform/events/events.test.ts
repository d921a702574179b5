import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { testDatabase } from '../../../test/harness/database.js';
import { defineEvent, Events } from './events.js';

const stored = defineEvent('test.stored', z.object({ id: z.string() }));
const given = testDatabase();
let teller: Events;
let hearer: Events;

beforeAll(async () => {
  teller = new Events(given.database, pino({ level: 'silent' }));
  hearer = new Events(given.database, pino({ level: 'silent' }));
  await hearer.onApplicationBootstrap();
});
afterAll(async () => {
  await hearer.onApplicationShutdown();
  await teller.onApplicationShutdown();
});

function hear() {
  const heard: string[] = [];
  const end = hearer.subscribe(stored, ({ id }) => heard.push(id));
  return { heard, end };
}

it('tells other processes when the transaction commits, and not when it rolls back', async () => {
  const { heard, end } = hear();
  await given.database
    .transaction(async (db) => {
      await teller.publish(db, stored, { id: 'rolled back' });
      throw new Error('roll back');
    })
    .catch(() => undefined);
  await given.database.transaction((db) => teller.publish(db, stored, { id: 'committed' }));
  await vi.waitFor(() => expect(heard).toContain('committed'));
  expect(heard).toEqual(['committed']);
  end();
});

it('no longer tells a subscriber that has left', async () => {
  const left = hear();
  const stays = hear();
  left.end();
  await teller.publish(given.database.db, stored, { id: 'later' });
  await vi.waitFor(() => expect(stays.heard).toEqual(['later']));
  expect(left.heard).toEqual([]);
  stays.end();
});

it('listens again after its connection was cut, and says that it may have missed something', async () => {
  const { heard, end } = hear();
  const reconnected = new Promise<void>((resolve) => hearer.onReconnect(resolve));
  await given.database.db.execute(sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'millrace-events' AND datname = current_database()`);
  await reconnected;
  await teller.publish(given.database.db, stored, { id: 'after the cut' });
  await vi.waitFor(() => expect(heard).toEqual(['after the cut']));
  end();
});

it('lives on after a notification that is no event and after a subscriber that throws', async () => {
  const { heard, end } = hear();
  const endThrowing = hearer.subscribe(stored, () => {
    throw new Error('a subscriber with a mistake');
  });
  await given.database.db.execute(sql`SELECT pg_notify('millrace', 'not json')`);
  await given.database.db.execute(sql`SELECT pg_notify('millrace', '{"event":"test.stored","data":{"id":7}}')`);
  await teller.publish(given.database.db, stored, { id: 'sound' });
  await vi.waitFor(() => expect(heard).toEqual(['sound']));
  await sleep(10);
  end();
  endThrowing();
});

it('refuses an event that PostgreSQL could not carry, naming it', async () => {
  const tooMuch = teller.publish(given.database.db, stored, { id: 'x'.repeat(8_000) });
  await expect(tooMuch).rejects.toThrow(/test\.stored has 80\d\d bytes/);
});
