import { expect, it } from 'vitest';
import { CachedSnapshot } from './cached-snapshot.js';

it('is read anew after a change, and once for all who ask meanwhile', async () => {
  let reads = 0;
  const picture = new CachedSnapshot(
    async () => ++reads,
    () => 60_000,
  );
  expect([await picture.current(), await picture.current()]).toEqual([1, 1]);
  picture.outdate();
  expect(await Promise.all([picture.current(), picture.current()])).toEqual([2, 2]);
});

it('of a change that was told while it is read is read once more', async () => {
  let reads = 0;
  const picture = new CachedSnapshot(
    async () => {
      reads += 1;
      return reads;
    },
    () => 60_000,
  );
  const early = picture.current();
  picture.outdate();
  expect(await Promise.all([early, picture.current()])).toEqual([1, 2]);
});

it('is to be had though changes come faster than it is read', async () => {
  let reads = 0;
  const picture = new CachedSnapshot(
    async () => {
      reads += 1;
      if (reads > 10) throw new Error('read on and on');
      picture.outdate();
      return reads;
    },
    () => 60_000,
  );
  expect(await picture.current()).toBe(1);
});
