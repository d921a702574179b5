import { expect, it } from 'vitest';
import { DAYS, slotText } from './slot-times';

it('tells recurring times in a line', () => {
  const times = [
    { days: ['mon' as const, 'tue' as const, 'wed' as const], time: '09:00' },
    { days: ['mon' as const, 'wed' as const], time: '12:00' },
    { days: [...DAYS], time: '17:00' },
  ];
  expect(slotText({ timezone: 'America/New_York', times })).toBe(
    'Mon–Wed 09:00, Mon Wed 12:00, every day 17:00 (America/New York)',
  );
});
