import { describe, expect, it } from 'vitest';
import { wantedSince } from './wanted-since.js';

const at = (time: string) => new Date(`2026-05-${time}:00Z`);
const known = { lastPostAt: at('01T08:00'), lastSuccessAt: at('02T09:00'), gaps: [] };

describe('posts are wanted', () => {
  it('from an hour before the newest known one on', () => {
    expect(wantedSince(known, at('02T23:59'))).toEqual(at('01T07:00'));
  });

  it('all of them with the first fetch of a day, so that late ones with old dates are found', () => {
    expect(wantedSince(known, at('03T00:00'))).toBeUndefined();
  });

  it('all of them while none is known or some are missing', () => {
    const now = at('02T10:00');
    expect(wantedSince({ ...known, lastPostAt: null }, now)).toBeUndefined();
    expect(wantedSince({ ...known, lastSuccessAt: null }, now)).toBeUndefined();
    expect(wantedSince({ ...known, gaps: [{ cursor: 'c', floor: '1' }] }, now)).toBeUndefined();
  });
});
