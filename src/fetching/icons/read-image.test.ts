import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gif, ico, jpeg, png, webp } from '../../../test/fetching/made-images.js';
import { readImage } from './read-image.js';

const typeOf = (bytes: Buffer) => readImage(bytes)?.mime;

describe('an image', () => {
  it.each([
    ['image/png', png(32, 32)],
    ['image/gif', gif(16, 16)],
    ['image/jpeg', jpeg(64, 48)],
    ['image/webp', webp('VP8X', 32, 32)],
    ['image/webp', webp('VP8 ', 32, 32)],
    ['image/webp', webp('VP8L', 32, 32)],
    ['image/x-icon', ico(png(16, 16), png(48, 48))],
  ])('is recognised by its bytes: %s', (mime, bytes) => {
    expect(readImage(bytes)).toEqual({ mime, bytes });
  });

  it.each([
    ['png', png(1_025, 16)],
    ['gif', gif(16, 1_025)],
    ['jpeg', jpeg(1_025, 16)],
    ['webp', webp('VP8X', 1_025, 16)],
    ['webp', webp('VP8 ', 1_025, 16)],
    ['webp', webp('VP8L', 16, 1_025)],
    ['ico', ico(png(1_025, 1_025))],
    ['png without a size', png(0, 16)],
  ])('that would cost clients much memory is refused: %s', (_, bytes) => {
    expect(typeOf(bytes)).toBeUndefined();
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a page', Buffer.from('<!doctype html><html><head></head></html>')],
    ['text', Buffer.from('not found')],
    ['a compressed file', deflateSync('x')],
    ['an icon whose entries lie outside of it', ico(png(16, 16)).subarray(0, 40)],
    ['an icon without entries', Buffer.from([0, 0, 1, 0, 0, 0])],
  ])('is not %s', (_, bytes) => {
    expect(typeOf(bytes)).toBeUndefined();
  });

  it('that ends too early is refused, wherever it ends', () => {
    for (const whole of [png(32, 32), gif(16, 16), jpeg(16, 16), webp('VP8L', 16, 16), ico(png(16, 16))]) {
      for (let length = 0; length < Math.min(whole.length, 30); length++) readImage(whole.subarray(0, length));
    }
    expect(typeOf(jpeg(16, 16).subarray(0, 12))).toBeUndefined();
  });
});

const svg = (content: string, before = '') =>
  Buffer.from(`${before}<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`);

describe('a drawing', () => {
  it.each([
    ['shapes', svg('<path d="M0 0h9v9z" fill="#f00"/>')],
    [
      'styles and references within it',
      svg('<style>.a{fill:url(#b)}</style><use href = "#b"/><g fill="url( \'#b\')"/>'),
    ],
    [
      'a declaration, comments and a doctype',
      svg('', '<?xml version="1.0" encoding="UTF-8"?><!-- a --><!DOCTYPE svg>\n'),
    ],
  ])('may have %s', (_, bytes) => {
    expect(typeOf(bytes)).toBe('image/svg+xml');
  });

  it.each([
    svg('<script>alert(1)</script>'),
    svg('<SCRIPT/>'),
    svg('<svg:script xlink:href="#a"/>'),
    svg('<g onload="alert(1)"/>'),
    svg('<g\nonload\n=\n"alert(1)"/>'),
    svg('<g id="a"onload="alert(1)"/>'),
    svg('<a href="#b">x</a>'),
    svg('<use href="https://elsewhere.example/a.svg#b"/>'),
    svg('<use xlink:href=" data:image/svg+xml,x"/>'),
    svg('<use href="&#106;avascript:alert(1)"/>'),
    svg('<image href="#a"/>'),
    svg('<foreignObject><p/></foreignObject>'),
    svg('<style>@import "https://elsewhere.example/a.css";</style>'),
    svg('<style>.a{fill:url(https://elsewhere.example/a)}</style>'),
    svg('<set attributeName="href" to="javascript:alert(1)"/>'),
    svg('', '<!DOCTYPE svg [<!ENTITY a "b">]>'),
    svg('', '<?xml-stylesheet href="a.css"?>'),
    svg('', '<?xml version="1.0" encoding="UTF-16"?>'),
    Buffer.from(svg('').toString(), 'utf16le'),
    Buffer.from('<html><svg></svg></html>'),
    Buffer.from('<!-- <svg>'),
  ])('that could run or load something is refused: %s', (bytes) => {
    expect(typeOf(bytes)).toBeUndefined();
  });

  it('made to be slow to read is judged in linear time', () => {
    const hostile = [
      `<svg href=${' '.repeat(100_000)}#`,
      '<!--'.repeat(25_000),
      '<!---->'.repeat(14_000),
      `<svg ${'<a'.repeat(50_000)}`,
      `<svg <${'a'.repeat(99_000)}`,
    ];
    for (const text of hostile) readImage(Buffer.from(text));
    expect(typeOf(svg(`<g id="${' '.repeat(99_000)}"/>`))).toBe('image/svg+xml');
  });
});
