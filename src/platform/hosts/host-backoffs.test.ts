import { pino } from 'pino';
import { expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { Events } from '../events/events.js';
import { Clock } from '../time/clock.js';
import { HostBackoffs } from './host-backoffs.js';
import { hostBackoffs } from './host-limits.table.js';

const store = testDatabase();
const start = new Date('2026-03-01T12:00:00Z');
const minutes = (count: number) => new Date(start.getTime() + count * 60_000);

class SetClock extends Clock {
  at = start;
  override now() {
    return this.at;
  }
}

function newBackoffs() {
  const clock = new SetClock();
  const events = new Events(store.database, pino({ level: 'silent' }));
  const backoffs = new HostBackoffs(store.database, clock, events);
  const until = async (host: string) => (await backoffs.find(host))?.until;
  return { backoffs, clock, until };
}

it('closes a host until the given time and no longer', async () => {
  const { backoffs, clock, until } = newBackoffs();
  await backoffs.close({ host: 'a.example', until: minutes(5), reason: 'answered 429' });
  expect(await backoffs.find('a.example')).toEqual({ host: 'a.example', until: minutes(5), reason: 'answered 429' });
  expect(await until('b.example')).toBeUndefined();
  clock.at = minutes(5);
  expect(await until('a.example')).toBeUndefined();
});

it('keeps the later of two times', async () => {
  const { backoffs, until } = newBackoffs();
  await backoffs.close({ host: 'c.example', until: minutes(5), reason: 'answered 429' });
  await backoffs.close({ host: 'c.example', until: minutes(1), reason: 'answered 503' });
  expect(await backoffs.find('c.example')).toMatchObject({ until: minutes(5), reason: 'answered 429' });
  await backoffs.close({ host: 'c.example', until: minutes(9), reason: 'answered 503' });
  expect(await until('c.example')).toEqual(minutes(9));
});

it('stores nothing for a time that is already there', async () => {
  const { backoffs, until } = newBackoffs();
  await backoffs.close({ host: 'd.example', until: start, reason: 'answered 429' });
  expect(await until('d.example')).toBeUndefined();
});

it('removes rows that are over when another host is closed', async () => {
  const { backoffs, clock } = newBackoffs();
  await backoffs.close({ host: 'e.example', until: minutes(60), reason: 'answered 429' });
  await backoffs.close({ host: 'f.example', until: minutes(120), reason: 'answered 429' });
  clock.at = minutes(61);
  await backoffs.close({ host: 'g.example', until: minutes(120), reason: 'answered 429' });
  const hosts = (await store.database.db.select().from(hostBackoffs)).map(({ host }) => host);
  expect(hosts).not.toContain('e.example');
  expect(hosts).toEqual(expect.arrayContaining(['f.example', 'g.example']));
});

it('bears many closing at once', async () => {
  const processes = Array.from({ length: 8 }, () => newBackoffs().backoffs);
  const closings = processes.flatMap((backoffs, index) =>
    ['x.example', 'y.example'].map((host) =>
      backoffs.close({ host, until: minutes(index + 1), reason: 'answered 429' }),
    ),
  );
  await Promise.all(closings);
  expect(await newBackoffs().until('x.example')).toEqual(minutes(8));
  expect(await newBackoffs().until('y.example')).toEqual(minutes(8));
});

it('does not ask the database at every request', async () => {
  const { until } = newBackoffs();
  await until('h.example');
  let queries = 0;
  const countQuery = () => {
    queries += 1;
  };
  store.database.pool.on('acquire', countQuery);
  for (let asked = 0; asked < 100; asked += 1) await until('h.example');
  store.database.pool.off('acquire', countQuery);
  expect(queries).toBeLessThanOrEqual(1);
});
