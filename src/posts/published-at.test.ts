import { describe, expect, it } from 'vitest';
import { believable, keptTime, newTime } from './published-at.js';

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

describe('newTime', () => {
  it('is the stated time if that is plausible', () => {
    const said = new Date('2026-02-01T00:00:00Z');
    expect(newTime(said, { now, place: 3 })).toEqual({ publishedAt: said, dated: true });
  });

  it('is the time of discovery otherwise, and the first of a document is the newest', () => {
    expect(newTime(undefined, { now, place: 0 })).toEqual({ publishedAt: now, dated: false });
    expect(newTime(new Date('2999-01-01T00:00:00Z'), { now, place: 1 })).toEqual({
      publishedAt: new Date(now.getTime() - 1),
      dated: false,
    });
  });
});

describe('keptTime', () => {
  const found = { publishedAt: now, dated: false };
  const earlier = new Date('2026-02-01T00:00:00Z');

  it('takes an earlier date, and a date that was missing', () => {
    expect(keptTime(found, earlier, now)).toEqual({ publishedAt: earlier, dated: true });
    expect(keptTime({ publishedAt: now, dated: true }, earlier, now).publishedAt).toEqual(earlier);
  });

  it('ignores a later date, so that the post stays undated', () => {
    expect(keptTime(found, new Date(now.getTime() + 60_000), now)).toEqual(found);
    expect(keptTime({ publishedAt: earlier, dated: true }, undefined, now)).toEqual({
      publishedAt: earlier,
      dated: true,
    });
  });
});
