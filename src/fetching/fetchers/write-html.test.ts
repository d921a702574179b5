import { describe, expect, it } from 'vitest';
import { link, paragraphs } from './write-html.js';

describe('a link', () => {
  it.each([
    ['https://example.org/a?b=1&c="2"', '<a href="https://example.org/a?b=1&amp;c=%222%22">&lt;x&gt;</a>'],
    ['https://example.org/#"', '<a href="https://example.org/#%22">&lt;x&gt;</a>'],
    ['javascript:alert(1)', '&lt;x&gt;'],
    ['/relative', '&lt;x&gt;'],
    ['', '&lt;x&gt;'],
  ])('to %o', (address, html) => {
    expect(link(address, '<x>')).toBe(html);
  });
});

describe('plain text', () => {
  it.each([
    ['', ''],
    [' \n ', ''],
    ['one', '<p>one</p>'],
    ['one\r\ntwo\r\n\r\n  three', '<p>one<br>two</p><p>three</p>'],
    ['<b>1 & 2</b>', '<p>&lt;b&gt;1 &amp; 2&lt;/b&gt;</p>'],
  ])('%o becomes %o', (text, html) => {
    expect(paragraphs(text)).toBe(html);
  });

  it.each([
    ['see https://a.example/b?c=1&d=2.', 'https://a.example/b?c=1&amp;d=2', '.'],
    ['see https://a.example/b)', 'https://a.example/b', ')'],
    ['see https://a.example/B_(c)', 'https://a.example/B_(c)', ''],
    ['see https://a.example/B_(c), then', 'https://a.example/B_(c)', ', then'],
    ['see https://a.example/!!!???', 'https://a.example/', '!!!???'],
  ])('makes a link in %o', (text, address, rest) => {
    expect(paragraphs(text)).toBe(`<p>see <a href="${address}">${address}</a>${rest}</p>`);
  });

  it('takes no time over what only looks like the end of a link', () => {
    const brackets = ')'.repeat(1_000_000);
    expect(paragraphs(`https://a.example/${brackets}x`)).toHaveLength(
      2 * (brackets.length + 19) + '<p><a href=""></a></p>'.length,
    );
  });
});
