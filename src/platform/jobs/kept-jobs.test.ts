import { expect, it } from 'vitest';
import { TokenBucket } from './kept-jobs.js';

const taken = (bucket: TokenBucket, atMs: number, times: number) =>
  Array.from({ length: times }, () => bucket.take(atMs)).filter(Boolean).length;

it('lets some through at once, and then only as many as its rate allows', () => {
  const bucket = new TokenBucket({ atOnce: 100, perSecond: 10 });
  expect(taken(bucket, 1_000, 500)).toBe(100);
  expect(taken(bucket, 2_000, 500)).toBe(10);
  expect(taken(bucket, 2_050, 500)).toBe(0);
  expect(taken(bucket, 2_100, 500)).toBe(1);
});

it('saves no more than it lets through at once', () => {
  const bucket = new TokenBucket({ atOnce: 5, perSecond: 10 });
  expect(taken(bucket, 3_600_000, 500)).toBe(5);
});
