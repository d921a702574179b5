import { describe, expect, it } from 'vitest';
import { literally, quoted } from './overpass.js';

describe('a string of the query language', () => {
  it.each([
    ['Berlin', '"Berlin"'],
    ["St. John's", '"St. John\'s"'],
    ['a"];out;', '"a\\"];out;"'],
    ['a\\', '"a\\\\"'],
    ['a\\"b', '"a\\\\\\"b"'],
    ['a\n\u0000b', '"a b"'],
    ['\ud800', '"\ufffd"'],
  ])('of %j is %s', (text, expected) => {
    expect(quoted(text)).toBe(expected);
  });
});

describe('a pattern', () => {
  it('means the text, whatever it is made of', () => {
    const text = 'a.b*c+d?e^f$g|h(i)j[k]l{m}n\\o';
    expect(new RegExp(`^${literally(text)}$`).test(text)).toBe(true);
    expect(new RegExp(`^${literally('a.c')}$`).test('abc')).toBe(false);
  });
});
