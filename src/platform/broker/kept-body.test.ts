import { describe, expect, it } from 'vitest';
import { bytesOf, fingerprint, keepBody } from './kept-body.js';

const keep = (text: string) => keepBody(Buffer.from(text));

describe('a kept body', () => {
  it.each([
    ['{"a":[1,"é",null]}', 'json', { a: [1, 'é', null] }],
    ['"text"', 'json', 'text'],
    ['plain', 'text', 'plain'],
    ['', 'text', ''],
    ['\ufeff{"a":1}', 'text', '\ufeff{"a":1}'],
    ['{"id":12345678901234567890}', 'text', '{"id":12345678901234567890}'],
    [
      '{"12345678901234567890":"a\\"12345678901234567890"}',
      'json',
      { '12345678901234567890': 'a"12345678901234567890' },
    ],
    ['{"a":"\\\\","id":12345678901234567890}', 'text', '{"a":"\\\\","id":12345678901234567890}'],
    ['{"a":1e999}', 'text', '{"a":1e999}'],
    ['{"a":"\\u0000"}', 'text', '{"a":"\\u0000"}'],
    ['{"\\ud800":1}', 'text', '{"\\ud800":1}'],
  ])('is readable and gives the same bytes again: %j', (text, encoding, body) => {
    const kept = keep(text);
    expect(kept).toEqual({ encoding, body, bytes: Buffer.byteLength(text), truncated: false });
    expect(String(bytesOf(kept))).toBe(text);
  });

  it('is text where JSON is so deep or so large that it could not be written again', () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    const large = `[${'{},'.repeat(60_000)}{}]`;
    for (const text of [deep, large]) expect(keep(text)).toMatchObject({ encoding: 'text', body: text });
  });

  it.each([[[0xff, 0xfe, 0x41]], [[0x41, 0x00]]])('that is no text gives the same bytes again: %j', (bytes) => {
    const kept = keepBody(Buffer.from(bytes));
    expect(kept.encoding).toBe('base64');
    expect([...bytesOf(kept)]).toEqual(bytes);
  });

  it('stays text if it is nested so deeply that nothing could walk through it', () => {
    expect(keep(`${'['.repeat(60_000)}${']'.repeat(60_000)}`)).toMatchObject({ encoding: 'text', truncated: false });
  });

  it.each(['\\"', 'a', '1'])('is read, however long a text it holds: %s', (part) => {
    const body = part.repeat(120_000);
    expect(keep(`["${body}"]`)).toMatchObject({ encoding: 'json', truncated: false });
    expect(keep(`["${body}`)).toMatchObject({ encoding: 'text', truncated: false });
  });

  it('is cut where it is too long, also in the middle of a character', () => {
    const kept = keep(`x${'é'.repeat(200_000)}`);
    expect(kept).toMatchObject({ encoding: 'text', bytes: 400_001, truncated: true });
    expect(kept.body).toBe(`x${'é'.repeat(131_071)}`);
  });

  it('has the fingerprint of all that mean the same, and of nothing else', () => {
    expect(fingerprint(keep('{ "a": [1, {"c": 2, "b": 3}], "d": 1.0 }'))).toBe(
      fingerprint(keep('{"d":1,"a":[1,{"b":3,"c":2}]}')),
    );
    const others = ['{"a":[2,1]}', '{"a":[1,2]}', '[1,2]', '{"a":"1"}', 'a', '"a"'].map((text) =>
      fingerprint(keep(text)),
    );
    expect(new Set(others).size).toBe(others.length);
  });
});
