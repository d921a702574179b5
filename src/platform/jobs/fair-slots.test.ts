import { expect, it } from 'vitest';
import { FairSlots } from './fair-slots.js';

const NOW = 0;
const SHORT = 100;
const LONG = 60_000;

it('one owner may use as many slots as the concurrency, however many there are', async () => {
  const slots = new FairSlots(2);
  expect([await slots.take('ann', NOW), await slots.take('ann', NOW)]).toEqual([true, true]);
  expect(await slots.take('ann', NOW)).toBe(false);
});

it('an owner without a running job finds a slot while others use the whole concurrency', async () => {
  const slots = new FairSlots(2);
  await slots.take('ann', NOW);
  await slots.take('ann', NOW);
  expect(await slots.take('bob', NOW)).toBe(true);
  expect(await slots.take('bob', NOW)).toBe(false);
});

it('jobs that nobody owns may use every slot', async () => {
  const slots = new FairSlots(8);
  for (let at = 0; at < 8; at++) await slots.take('ann', NOW);
  expect([await slots.take(undefined, NOW), await slots.take(undefined, NOW)]).toEqual([true, true]);
  expect(await slots.take(undefined, NOW)).toBe(false);
});

it('a slot that becomes free goes to the first who may have it', async () => {
  const slots = new FairSlots(1);
  await slots.take('ann', NOW);
  await slots.take('bob', NOW);
  const next = [slots.take('ann', LONG), slots.take('cid', LONG)];
  slots.release('bob');
  expect(await next[1]).toBe(true);
  slots.release('ann');
  slots.release('cid');
  expect(await next[0]).toBe(true);
});

it('forgets owners whose jobs have ended', async () => {
  const slots = new FairSlots(1);
  await slots.take('ann', NOW);
  await slots.take('bob', NOW);
  slots.release('bob');
  expect(await slots.take('bob', NOW)).toBe(true);
});

it('a job that got no slot is not overtaken by the next one of its owner', async () => {
  const slots = new FairSlots(1);
  await slots.take('ann', NOW, 1);
  expect(await slots.take('ann', SHORT, 2)).toBe(false);
  slots.release('ann');
  const third = slots.take('ann', LONG, 3);
  expect(await slots.take('ann', NOW, 2)).toBe(true);
  slots.release('ann');
  expect(await third).toBe(true);
});

it('a job that never comes back holds up its owner once', async () => {
  const slots = new FairSlots(1);
  await slots.take('ann', NOW, 1);
  await slots.take('ann', SHORT, 2);
  slots.release('ann');
  expect(await slots.take('ann', NOW, 3)).toBe(false);
  expect(await slots.take('ann', NOW, 3)).toBe(true);
});
