import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Api, startApi } from '../../../test/harness/api.js';
import { testDatabase } from '../../../test/harness/database.js';
import { Activity } from './activity.js';
import { users } from './users.table.js';

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
    // The first process's clock is a minute ahead by now, so this is half a minute after its write.
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
  expect(api.lines.at(-1)).toMatchObject({ event: 'activity_not_recorded', userId: '1' });
  await db.database.pool.query('ALTER TABLE users RENAME COLUMN away TO last_seen_at');
  activity.seen('1');
  await activity.beforeApplicationShutdown();
  expect((await lastSeen('1')).at).toEqual(api.clock.now());
});

describe('a user who was never seen, or not within the active window', () => {
  const isActive = async (id: string) => {
    const { rows } = await db.database.pool.query('SELECT active FROM users WHERE id = $1', [id]);
    return rows[0].active as boolean;
  };
  const newUser = async () =>
    (await db.database.pool.query('INSERT INTO users DEFAULT VALUES RETURNING id')).rows[0].id;
  const newActivity = () => new Activity(db.database, api.clock, pino({ level: 'silent' }), api.config);
  const see = async (activity: Activity, id: string) => {
    activity.seen(id);
    await activity.beforeApplicationShutdown();
  };

  it('becomes active with a request, and listeners are notified in the same transaction', async () => {
    const [activity, id] = [newActivity(), await newUser()];
    const told: unknown[] = [];
    activity.onReturn(async (tx, userId) => {
      const [user] = await tx.select().from(users).where(eq(users.id, userId));
      told.push([userId, user?.active, await isActive(userId)]);
      return async () => void told.push([userId, 'committed', await isActive(userId)]);
    });
    await see(activity, id);
    api.clock.advance(60_000);
    await see(activity, id);
    expect(told).toEqual([
      [id, true, false],
      [id, 'committed', true],
    ]);
  });

  it('comes back once, however many processes see them at the same moment', async () => {
    const id = await newUser();
    let returns = 0;
    const processes = Array.from({ length: 5 }, newActivity);
    for (const activity of processes) {
      activity.onReturn(async () => {
        returns += 1;
        return async () => undefined;
      });
    }
    await Promise.all(processes.map((activity) => see(activity, id)));
    expect(returns).toBe(1);
  });

  it('stays inactive if a listener fails, and becomes active with the next request', async () => {
    const [activity, id] = [newActivity(), await newUser()];
    let failures = 1;
    activity.onReturn(async () => {
      if (failures-- > 0) throw new Error('not now');
      return async () => undefined;
    });
    await see(activity, id);
    expect(await isActive(id)).toBe(false);
    await see(activity, id);
    expect(await isActive(id)).toBe(true);
  });

  it('is retired, and nobody else', async () => {
    const activity = newActivity();
    const [silent, seen] = [await newUser(), await newUser()];
    await see(activity, silent);
    await see(activity, seen);
    api.clock.advance(api.config.activeWindowMs);
    await see(activity, seen);
    await activity.retireSilent();
    expect([await isActive(silent), await isActive(seen)]).toEqual([true, true]);
    api.clock.advance(1);
    await activity.retireSilent();
    expect([await isActive(silent), await isActive(seen)]).toEqual([false, true]);
  });

  it('is retired among any number of them', async () => {
    const { rowCount } = await db.database.pool.query(
      "INSERT INTO users (active, last_seen_at) SELECT true, 'epoch' FROM generate_series(1, 2500)",
    );
    await newActivity().retireSilent();
    const { rows } = await db.database.pool.query("SELECT active FROM users WHERE last_seen_at = 'epoch'");
    expect(rows).toEqual(Array.from({ length: rowCount ?? 0 }, () => ({ active: false })));
  });
});
