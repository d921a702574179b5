import { expect, it } from 'vitest';
import { announcedLimit } from './rate-limit-headers.js';

const now = new Date('2026-05-01T12:00:00Z');
const epoch = now.getTime() / 1_000;
const after = (seconds: number) => new Date(now.getTime() + seconds * 1_000);

it.each([
  [{ ratelimit: '"default";r=50;t=30', 'ratelimit-policy': '"default";q=100;w=60' }, 100],
  [{ ratelimit: '"a";r=5;t=9, "b";r=2;t=40', 'ratelimit-policy': '"a";q=10;w=9, "b";q=600;w=3600' }, 10],
  [{ 'ratelimit-policy': '"hourly";q=3000;w=3600' }, 50],
  [{ 'ratelimit-policy': '"burst";q=100;w=10, "hourly";q=3000;w=3600, "minute";q=60;w=60' }, 50],
  [{ ratelimit: 'limit=60, remaining=59, reset=60' }, 60],
  [{ ratelimit: 'limit=20, remaining=1, reset=2', 'ratelimit-policy': '20;w=9' }, 120],
  [{ 'ratelimit-limit': '60', 'ratelimit-remaining': '12', 'ratelimit-reset': '31' }, 60],
  [{ 'ratelimit-limit': '100, 100;w=60, 5000;w=86400', 'ratelimit-remaining': '9' }, 100],
  [{ 'ratelimit-limit': '1', 'ratelimit-reset': '3000' }, 1],
  [{ 'ratelimit-limit': '600', 'ratelimit-remaining': '599', 'ratelimit-reset': String(epoch + 45) }, 600],
  [{ ratelimit: `limit=600, remaining=599, reset=${epoch + 45}` }, 600],
  [{ 'ratelimit-policy': '"long";q=5000;w=100000000000000' }, 3],
])('%o tells of %i requests a minute', (headers: Record<string, string>, perMinute) =>
  expect(announcedLimit(headers, now).perMinute).toBe(perMinute),
);

it.each([
  [{ ratelimit: '"default";r=0;t=30', 'ratelimit-policy': '"default";q=100;w=60' }, 30],
  [{ ratelimit: 'limit=60, remaining=0, reset=17' }, 17],
  [{ 'ratelimit-limit': '60', 'ratelimit-remaining': '0', 'ratelimit-reset': '9' }, 9],
  [{ 'ratelimit-limit': '600', 'ratelimit-remaining': '0', 'ratelimit-reset': String(epoch + 45) }, 45],
  [{ ratelimit: `"default";r=0;t=${epoch + 30}`, 'ratelimit-policy': '"default";q=100;w=60' }, 30],
  [{ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '45' }, 45],
  [{ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(epoch + 120) }, 120],
  [{ 'x-ratelimit-limit': '300', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2026-05-01T12:04:00.5Z' }, 240.5],
  [{ 'x-rate-limit-limit': '15', 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': '60' }, 60],
])('%o closes the host for %d seconds', (headers: Record<string, string>, seconds) =>
  expect(announcedLimit(headers, now).closedUntil).toEqual(after(seconds)),
);

it.each([
  ['nothing', {}],
  ['a limit whose time is not told', { 'ratelimit-limit': '10', 'ratelimit-remaining': '9', 'ratelimit-reset': '1' }],
  ['more than anybody sends', { 'ratelimit-limit': '9007199254740991', 'ratelimit-reset': '60' }],
  ['more than can be counted', { 'ratelimit-policy': `"all";q=${'9'.repeat(400)};w=60` }],
  ['a limit of none', { ratelimit: 'limit=0, remaining=0, reset=0' }],
  ['words', { ratelimit: 'plenty', 'ratelimit-limit': 'much', 'x-ratelimit-remaining': 'none' }],
  ['what is left of nobody knows what', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' }],
  ['a day', { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '86000' }],
  ['the past', { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(epoch - 5) }],
  ['an API’s own count', { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '4999', 'x-ratelimit-reset': '60' }],
])('%s teaches nothing', (_, headers: Record<string, string>) => {
  const { perMinute, closedUntil } = announcedLimit(headers, now);
  expect([perMinute, closedUntil]).toEqual([undefined, undefined]);
});

it('a long time to count within is a pause of an hour at most', () => {
  const { windowMs } = announcedLimit({ 'ratelimit-policy': '"daily";q=5000;w=86400' }, now);
  expect(windowMs).toBe(3_600_000);
});
