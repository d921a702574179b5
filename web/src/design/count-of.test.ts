import { expect, it } from 'vitest';
import { countOf } from './count-of';

it('says one thing in the singular, and none or several in the plural', () => {
  expect([0, 1, 2_880].map((many) => countOf(many, 'feed'))).toEqual(['0 feeds', '1 feed', '2,880 feeds']);
  expect(countOf(2, 'address', 'addresses')).toBe('2 addresses');
});
