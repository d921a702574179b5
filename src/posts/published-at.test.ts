import { describe, expect, it } from 'vitest';
import { believable, foundTime } from './published-at.js';

const now = new Date('2026-03-01T12:00:00Z');

describe('believable', () => {
  it.each(['2026-03-01T11:59:59Z', '1999-12-31T23:59:59Z', '1971-01-01T00:00:00Z', '2026-03-01T12:10:00Z'])(
    'takes %s',
    (text) => {
      expect(believable(new Date(text), now)).toEqual(new Date(text));
    },
  );

  it.each([
    ['no date', undefined],
    ['one that cannot be read', new Date('soon')],
    ['a clock that was never set', new Date(0)],
    ['a time before there were feeds', new Date('1900-01-01T00:00:00Z')],
    ['a time to come', new Date('2026-03-01T12:10:01Z')],
    ['a year of five digits', new Date('+012026-01-01T00:00:00Z')],
  ])('does not take %s', (_, said) => {
    expect(believable(said, now)).toBeUndefined();
  });
});

describe('foundTime', () => {
  it('makes what a document shows first the newest', () => {
    expect(foundTime(now, 0)).toEqual(now);
    expect(foundTime(now, 1).getTime()).toBeLessThan(foundTime(now, 0).getTime());
  });
});
