import { expect, it } from 'vitest';
import { capacityOf, spanText } from './platform-capacity';

const limit = { most: 20, windowSeconds: 86_400 };

it('shows what is left of a limit', () => {
  const capacity = capacityOf({ limits: { platform: limit, user: limit }, remaining: { platform: 15, user: 13 } });
  expect(capacity).toEqual({ used: 7, max: 20, window: '24 hours', text: '13 of 20 left per 24 hours' });
});

it('takes the limit of all where users have none', () => {
  expect(capacityOf({ limits: { platform: limit, user: null }, remaining: { platform: 20, user: null } })?.used).toBe(
    0,
  );
});

it('returns nothing for a platform without limits', () => {
  const none = { platform: null, user: null };
  expect(capacityOf({ limits: none, remaining: none })).toBeUndefined();
});

it('formats windows in the largest unit', () => {
  expect([3_600, 7_200, 86_400, 172_800, 600, 90].map(spanText)).toEqual([
    'hour',
    '2 hours',
    '24 hours',
    '2 days',
    '10 minutes',
    '90 seconds',
  ]);
});
