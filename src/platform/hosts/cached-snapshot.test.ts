import { expect, it } from 'vitest';
import { CachedSnapshot } from './cached-snapshot.js';

it('is read again after a change, and once for all concurrent callers', async () => {
  let reads = 0;
  const snapshot = new CachedSnapshot(
    async () => ++reads,
    () => 60_000,
  );
  expect([await snapshot.current(), await snapshot.current()]).toEqual([1, 1]);
  snapshot.invalidate();
  expect(await Promise.all([snapshot.current(), snapshot.current()])).toEqual([2, 2]);
});

it('is read once more if a change is reported while it is read', async () => {
  let reads = 0;
  const snapshot = new CachedSnapshot(
    async () => {
      reads += 1;
      return reads;
    },
    () => 60_000,
  );
  const early = snapshot.current();
  snapshot.invalidate();
  expect(await Promise.all([early, snapshot.current()])).toEqual([1, 2]);
});

it('is to be had though changes come faster than it is read', async () => {
  let reads = 0;
  const snapshot = new CachedSnapshot(
    async () => {
      reads += 1;
      if (reads > 10) throw new Error('read on and on');
      snapshot.invalidate();
      return reads;
    },
    () => 60_000,
  );
  expect(await snapshot.current()).toBe(1);
});
