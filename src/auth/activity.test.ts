import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Api, startApi } from '../../test/harness/api.js';
import { testDatabase } from '../../test/harness/database.js';
import { Activity } from './activity.js';

const db = testDatabase();
let api: Api;
beforeAll(async () => {
  api = await startApi({ databaseUrl: db.url });
});
afterAll(() => api?.stop());

const request = async (externalId: string) => {
  const headers = { 'x-millrace-user': externalId };
  return (await api.send({ url: '/api/v1/users/me', key: api.adminKey, headers })).json();
};
const lastSeen = async (id: string) => {
  const { rows } = await db.database.pool.query('SELECT last_seen_at, xmin::text FROM users WHERE id = $1', [id]);
  return { at: rows[0].last_seen_at as Date | null, version: rows[0].xmin as string };
};

it('records the user a request is for, at most once a minute', async () => {
  const { id } = await request('ann');
  const first = api.clock.now();
  await vi.waitFor(async () => expect((await lastSeen(id)).at).toEqual(first));
  const { version } = await lastSeen(id);

  api.clock.advance(59_000);
  await request('ann');
  await api.app.get(Activity).beforeApplicationShutdown();
  expect((await lastSeen(id)).version).toBe(version);

  api.clock.advance(1_000);
  await request('ann');
  await vi.waitFor(async () => expect((await lastSeen(id)).at).toEqual(api.clock.now()));
});

it('writes once a minute however many processes see the user', async () => {
  const { id } = await request('bob');
  await api.app.get(Activity).beforeApplicationShutdown();
  const { version } = await lastSeen(id);
  const other = await startApi({ databaseUrl: db.url });
  try {
    // The first process's clock is a minute ahead by now: this is half a minute after its write.
    other.clock.advance(90_000);
    other.app.get(Activity).seen(id);
    await other.app.get(Activity).beforeApplicationShutdown();
    expect((await lastSeen(id)).version).toBe(version);
  } finally {
    await other.stop();
  }
});

it('does not fail a request when it cannot be recorded, and tries again', async () => {
  await db.database.pool.query('ALTER TABLE users RENAME COLUMN last_seen_at TO away');
  const activity = api.app.get(Activity);
  activity.seen('1');
  await activity.beforeApplicationShutdown();
  expect(api.lines.at(-1)).toMatchObject({ msg: 'could not record that a user was seen', userId: '1' });
  await db.database.pool.query('ALTER TABLE users RENAME COLUMN away TO last_seen_at');
  activity.seen('1');
  await activity.beforeApplicationShutdown();
  expect((await lastSeen('1')).at).toEqual(api.clock.now());
});
