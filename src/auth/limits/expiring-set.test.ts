import { expect, it } from 'vitest';
import { ExpiringSet } from './expiring-set.js';

it('reports who is new within the window', () => {
  const seen = new ExpiringSet(60);
  expect([seen.add('a', 0), seen.add('a', 59), seen.add('a', 60), seen.add('a', 119)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

it('remembers nobody for longer than that, also those who come back', () => {
  const seen = new ExpiringSet(60);
  seen.add('regular', 0);
  for (let user = 0; user < 100; user++) seen.add(`${user}`, 30);
  seen.add('regular', 60);
  seen.add('late', 90);
  expect(seen.size).toBe(2);
  expect(seen.add('regular', 100)).toBe(false);
});

it('forgets an entry at once on request', () => {
  const seen = new ExpiringSet(60);
  seen.add('a', 0);
  seen.forget('a');
  expect(seen.add('a', 1)).toBe(true);
});
