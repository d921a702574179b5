import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import type { Engine } from './engine.js';

const WAIT_OPTIONS = { timeout: 90_000, interval: 200 };

/** Disturbs the backend while jobs run, and expects each of them to be done exactly once. */
export async function survives(engine: Engine, outage: () => Promise<unknown>): Promise<void> {
  const ids = await engine.enqueue(Array.from({ length: 300 }, (_, n) => `sleep ${n % 100}`));
  await vi.waitFor(async () => expect((await engine.effects(ids)).length).toBeGreaterThan(50), WAIT_OPTIONS);
  await outage();
  await sleep(100);
  const later = await engine.enqueue(Array.from({ length: 20 }, () => 'ok'));
  const all = [...ids, ...later];
  await vi.waitFor(async () => expect(await engine.states(all)).toEqual({ done: all.length }), WAIT_OPTIONS);
  expect((await engine.effects(all)).toSorted()).toEqual(all.toSorted());
}
