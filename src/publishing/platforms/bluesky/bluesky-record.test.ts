import { describe, expect, it } from 'vitest';
import { facetsOf, handlesIn } from './bluesky-facets.js';
import { recordKey } from './bluesky-record.js';

describe('a record key', () => {
  const keys = Array.from({ length: 2_000 }, (_, at) => recordKey(at.toString(16).padStart(32, '0')));

  it('is a TID, another for every publication and the same for every try', () => {
    for (const key of keys) expect(key).toMatch(/^[234567a-j][234567a-z]{12}$/);
    expect(new Set(keys).size).toBe(keys.length);
    expect(recordKey('f'.repeat(32))).toBe(recordKey('f'.repeat(32)));
  });

  it('tells a time before there was a Bluesky', () => {
    const alphabet = '234567abcdefghijklmnopqrstuvwxyz';
    for (const key of keys) {
      const tid = [...key].reduce((number, sign) => number * 32n + BigInt(alphabet.indexOf(sign)), 0n);
      const year = new Date(Number((tid >> 10n) / 1_000n)).getUTCFullYear();
      expect([2020, 2021, 2022]).toContain(year);
    }
  });
});

describe('facets', () => {
  const shown = (text: string, dids: Record<string, string> = {}) => {
    const facets = facetsOf(text, dids) as { index: { byteStart: number; byteEnd: number } }[];
    return facets.map(({ index }) => Buffer.from(text).toString('utf8', index.byteStart, index.byteEnd));
  };

  it.each([
    [
      '(see https://example.org/a), or https://example.org/b_(c).',
      ['https://example.org/a', 'https://example.org/b_(c)'],
    ],
    ['“😀” https://例え.jp/道?x=1#y…', ['https://例え.jp/道?x=1#y…']],
    ['https://', []],
    ['xhttps://example.org', []],
    ['#one #two, #3 #4th ＃wide #!? a#b ##double', ['#one', '#two', '#4th', '＃wide', '##double']],
    ['#\ufe0fkeycap #a\u200bb', ['#a']],
    [`#${'x'.repeat(65)}`, []],
    [
      '@bob.example. (@bob.example) mail@bob.example @bob @BOB.Example',
      ['@bob.example', '@bob.example', '@BOB.Example'],
    ],
  ])('of %j are %j', (text, expected) => {
    expect(shown(text, { 'bob.example': 'did:plc:bob' })).toEqual(expected);
  });

  it('name no accounts that do not exist', () => {
    expect(handlesIn('@bob.example @BOB.example @carol.example')).toEqual(['bob.example', 'carol.example']);
    expect(shown('@bob.example @carol.example', { 'carol.example': 'did:plc:carol' })).toEqual(['@carol.example']);
  });
});
