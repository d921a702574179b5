import { expect, it, onTestFinished, vi } from 'vitest';
import { testDatabase } from '../../../test/harness/database.js';
import { Leadership } from './leadership.js';

const db = testDatabase();
let locks = 1;
const candidates = (count: number) => {
  const lock = locks++;
  const all = Array.from({ length: count }, () => new Leadership(db.url, lock));
  onTestFinished(async () => void (await Promise.all(all.map((one) => one.stepDown()))));
  return all as [Leadership, Leadership, ...Leadership[]];
};

it('falls to one of several, who keeps it', async () => {
  const all = candidates(5);
  const first = await Promise.all(all.map((one) => one.isMine()));
  expect(first.filter(Boolean)).toHaveLength(1);
  expect(await Promise.all(all.map((one) => one.isMine()))).toEqual(first);
});

it('passes on when its holder steps down', async () => {
  const [first, second] = candidates(2);
  expect(await first.isMine()).toBe(true);
  await first.stepDown();
  expect(await second.isMine()).toBe(true);
  expect(await first.isMine()).toBe(false);
});

it('passes on when the connection of its holder breaks, and the holder notices', async () => {
  const [first, second] = candidates(2);
  await first.isMine();
  await db.database.pool.query(`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'millrace-leader' AND datname = current_database()`);
  await vi.waitFor(async () => expect(await second.isMine()).toBe(true));
  await vi.waitFor(async () => expect(await first.isMine()).toBe(false));
});

it('is of different things for different numbers', async () => {
  const [[one], [other]] = [candidates(1), candidates(1)];
  expect([await one.isMine(), await other.isMine()]).toEqual([true, true]);
});
