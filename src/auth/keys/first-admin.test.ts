import { mkdtemp, readFile, rm, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { type Config, parseConfig } from '../../platform/config.js';
import { Events } from '../../platform/events/events.js';
import { Clock } from '../../platform/time/clock.js';
import { SessionsStore } from '../sessions/sessions.store.js';
import { UsersStore } from '../users/users.store.js';
import { users } from '../users/users.table.js';
import { FirstAdmin } from './first-admin.js';
import { KeysStore } from './keys.store.js';
import { keys } from './keys.table.js';

const db = testDatabase();
let dataDir: string;
beforeEach(async () => {
  await db.database.db.delete(users);
  dataDir = await mkdtemp(join(tmpdir(), 'millrace-admin-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const clock = new Clock();
const keysStore = () => new KeysStore(db.database, new Events(db.database, pino({ level: 'silent' })), clock);

/** Starts one process. */
async function start(config: Partial<Config> = {}): Promise<void> {
  const { database } = db;
  const stores = [new UsersStore(database), keysStore(), new SessionsStore(database, clock)] as const;
  await new FirstAdmin(database, ...stores, { ...parseConfig({}), dataDir, ...config }).ensure();
}

const file = () => join(dataDir, 'admin-key');
const stored = async () => (await readFile(file(), 'utf8')).trim();
const scopeOf = async (key: string) => (await keysStore().findUsable(key))?.scope;
const allKeys = () => db.database.db.select().from(keys);

it('makes an admin key and stores it for the owner alone', async () => {
  await start();
  expect(await scopeOf(await stored())).toBe('admin');
  expect((await stat(file())).mode & 0o777).toBe(0o600);
});

it('makes one admin and one key when several processes start at once', async () => {
  await Promise.all(Array.from({ length: 8 }, () => start()));
  expect(await db.database.db.select().from(users)).toHaveLength(1);
  expect(await allKeys()).toHaveLength(1);
  expect(await scopeOf(await stored())).toBe('admin');
});

it('changes nothing at later starts, nor when only the file is gone', async () => {
  await start();
  const before = await allKeys();
  await start();
  await unlink(file());
  await start();
  expect(await allKeys()).toEqual(before);
});

it('makes a new key when the stored one belongs to another database', async () => {
  await start();
  const before = await stored();
  await db.database.db.delete(users);
  await start();
  expect(await stored()).not.toBe(before);
  expect(await scopeOf(await stored())).toBe('admin');
});

it('takes the configured key, and retires it when another one is configured', async () => {
  const [first, second] = ['configured-key-number-one', 'configured-key-number-two'];
  await start({ adminKey: first });
  expect(await scopeOf(first)).toBe('admin');
  expect(await stored()).toBe(first);

  await start({ adminKey: second });
  expect(await scopeOf(first)).toBeUndefined();
  expect(await scopeOf(second)).toBe('admin');
  expect(await stored()).toBe(second);

  await start({ adminKey: first });
  expect(await scopeOf(first)).toBe('admin');
  expect(await scopeOf(second)).toBeUndefined();
  expect(await db.database.db.select().from(users)).toHaveLength(1);
});

it('retires the configured key when none is configured any more, and makes one if no other is left', async () => {
  await start({ adminKey: 'configured-key-number-one' });
  await start();
  expect(await scopeOf('configured-key-number-one')).toBeUndefined();
  expect(await stored()).toMatch(/^mr_/);
  expect(await scopeOf(await stored())).toBe('admin');
  expect(await db.database.db.select().from(users)).toHaveLength(1);

  const generated = await stored();
  await start({ adminKey: 'configured-key-number-two' });
  await start();
  expect(await scopeOf('configured-key-number-two')).toBeUndefined();
  expect(await stored()).toBe(generated);
  expect(await scopeOf(generated)).toBe('admin');
});

it('leaves a generated key good beside a configured one', async () => {
  await start();
  const generated = await stored();
  await start({ adminKey: 'configured-key-number-one' });
  expect(await scopeOf(generated)).toBe('admin');
  expect(await stored()).toBe(generated);
});
