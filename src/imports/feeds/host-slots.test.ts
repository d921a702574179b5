import { pino } from 'pino';
import { expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { parseConfig } from '../../platform/config.js';
import { Periodic } from '../../platform/time/periodic.js';
import { HostSlots, hostOfPage } from './host-slots.js';

const db = testDatabase();
const turns = (rate: number) => {
  const config = parseConfig({ MILLRACE_IMPORT_RATE: String(rate) });
  return new HostSlots(config, db.database, new Periodic(config, pino({ level: 'silent' })));
};
const { signal } = new AbortController();

it('turns at a host are spaced out, over all who take them', async () => {
  const [one, other] = [turns(1), turns(1)];
  const takers = [one, other, one, other, one, other];
  const taken = await Promise.all(takers.map((taker) => taker.take('a.example', signal)));
  const far = taken.flatMap((date) => (date ? [date.getTime()] : [])).toSorted((a, b) => a - b);
  expect(far).toHaveLength(4);
  expect(far.slice(1).map((ms) => Math.round((ms - (far[0] ?? 0)) / 1_000))).toEqual([1, 2, 3]);
});

it('who was sent away has reserved nothing: a turn that comes free is for whoever asks then', async () => {
  const one = turns(2);
  const early = Array.from({ length: 20 }, () => one.take('many.example', signal));
  const sentAway = (await Promise.all(early)).filter((at) => at !== undefined);
  expect(sentAway.length).toBeGreaterThan(10);
  expect(await one.take('many.example', signal)).toBeUndefined();
});

it('one host does not wait for another', async () => {
  const one = turns(1);
  await Promise.all([1, 2, 3].map(() => one.take('slow.example', signal)));
  expect(await one.take('free.example', signal)).toBeUndefined();
});

it('who waits for a turn can be told to stop', async () => {
  const one = turns(2);
  await one.take('b.example', signal);
  await expect(one.take('b.example', AbortSignal.abort())).rejects.toThrow();
});

it('hosts that were not asked for long are forgotten', async () => {
  await turns(100).take('c.example', signal);
  await db.database.pool.query(`UPDATE import_hosts SET next_at = now() - interval '2 hours' WHERE host = 'c.example'`);
  await turns(100).forgetOld();
  const { rows } = await db.database.pool.query(`SELECT host FROM import_hosts WHERE host = 'c.example'`);
  expect(rows).toEqual([]);
});

it.each([
  [{ type: 'rss', externalId: 'https://feeds.a.example/x' }, null, 'a.example'],
  [{ type: 'rss', externalId: 'https://a.example/x' }, 'https://archive.example/2', 'archive.example'],
  [{ type: 'rss', externalId: 'https://v1.api.b.example/x' }, null, 'api.b.example'],
  [{ type: 'bluesky', externalId: 'somebody.example' }, 'page-2', 'bluesky'],
])('%o with %s is served by %s', (source, cursor, host) =>
  expect(hostOfPage(source, cursor, new Map([['api.b.example', 60]]))).toBe(host),
);
