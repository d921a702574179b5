import { expect, it } from 'vitest';
import { neighbour } from './neighbour';

const IDS = ['100', '20', '3'];

it('goes down and up the list, and stays at its ends', () => {
  expect([neighbour(IDS, '100', 1), neighbour(IDS, '20', 1), neighbour(IDS, '3', 1)]).toEqual(['20', '3', '3']);
  expect([neighbour(IDS, '3', -1), neighbour(IDS, '20', -1), neighbour(IDS, '100', -1)]).toEqual(['20', '100', '100']);
});

it('begins with the first', () => {
  expect(neighbour(IDS, undefined, 1)).toBe('100');
  expect(neighbour([], undefined, 1)).toBeUndefined();
  expect(neighbour(IDS, 'nonsense', 1)).toBe('100');
});

it('goes on from the place of a letter that has left the list', () => {
  expect([neighbour(['100', '3'], '20', 1), neighbour(['100', '3'], '20', -1)]).toEqual(['3', '100']);
});

it('comes back to what is left when the last of the list has gone', () => {
  expect(neighbour(['100', '20'], '3', 1)).toBe('20');
});
