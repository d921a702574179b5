import { describe, expect, it } from 'vitest';
import { excessOf, JsonScanner, parseBounded } from './bounded-json.js';

const limits = { maxBytes: 1_000_000, maxDepth: 5, maxValues: 20, maxItems: 10 };
const breach = (text: string) => ({ breach: text });

describe('JSON within its limits', () => {
  it.each([
    ['{"a": [1, 2, {"b": null}]}', { a: [1, 2, { b: null }] }],
    ['"text"', 'text'],
    ['[[[[[]]]]]', [[[[[]]]]]],
    ['["a,b,c,d,e,f,g,h,i,j,k,l [[[[[[ {{{{", 1]', ['a,b,c,d,e,f,g,h,i,j,k,l [[[[[[ {{{{', 1]],
    ['["\\",", "\\\\", "\\\\\\"],,,,,,,,,,,,"]', ['",', '\\', '\\"],,,,,,,,,,,,']],
  ])('%s is read', (text, value) => expect(parseBounded(text, limits)).toEqual({ value }));
});

describe('JSON beyond its limits', () => {
  it.each([
    ['[[[[[[]]]]]]', 'answers with JSON nested more than 5 deep'],
    [`${'['.repeat(100_000)}`, 'answers with JSON nested more than 5 deep'],
    [JSON.stringify(new Array(11).fill(1)), 'answers with a list of more than 10 values'],
    [JSON.stringify({ a: new Array(9).fill([1]), b: [] }), 'answers with more than 20 values'],
    ['{"a": }', 'answers with something that is no JSON'],
    ['{"a": "b', 'answers with something that is no JSON'],
    ['', 'answers with something that is no JSON'],
  ])('%.40s is refused', (text, reason) => expect(parseBounded(text, limits)).toMatchObject(breach(reason)));
});

it('a text of any length takes time in proportion to it', () => {
  const costOf = (quotes: number) => {
    const text = `["${'\\\\\\"'.repeat(quotes)}"]`;
    const before = process.cpuUsage();
    expect(parseBounded(text, limits)).toHaveProperty('value');
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  costOf(100_000);
  const [small, large] = [costOf(100_000), costOf(1_000_000)];
  expect(large / small).toBeLessThan(60);
});

it('finds the same excess however the text is cut into pieces', () => {
  const limits = { maxDepth: 3, maxValues: 12, maxItems: 5 };
  const texts = [
    '{"a":"\\"[[[[","b":[1,2,3]}',
    '["\\\\",[[[1]]]]',
    '["\\\\\\"",{"k":[]}]',
    '[1,2,3,4,5,6]',
    '{"a":[1,2,3],"b":[1,2,3],"c":[1,2,3]}',
    '["é\\u0022[[[[[","x"]',
  ];
  for (const text of texts) {
    const whole = new JsonScanner(limits).read(text);
    expect(whole === undefined, text).toBe(excessOf(text, limits) === undefined);
    for (let size = 1; size < text.length; size += 1) {
      const scanner = new JsonScanner(limits);
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      );
      expect(pieces.map((piece) => scanner.read(piece)).find(Boolean), `${text} by ${size}`).toBe(whole);
    }
  }
  expect(texts.map((text) => new JsonScanner(limits).read(text))).toEqual([
    undefined,
    'depth',
    undefined,
    'items',
    'values',
    undefined,
  ]);
});
