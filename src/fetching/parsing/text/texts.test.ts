import { describe, expect, it } from 'vitest';
import { cleanText } from './clean-text.js';
import { decodeFeed } from './decode-feed.js';
import { plainText } from './plain-text.js';

const utf32 = (text: string, { bigEndian = false, mark = true } = {}) => {
  const codes = [...(mark ? '\ufeff' : ''), ...text].map((character) => character.codePointAt(0) ?? 0);
  const bytes = Buffer.alloc(codes.length * 4);
  for (const [at, code] of codes.entries()) {
    if (bigEndian) bytes.writeUInt32BE(code, at * 4);
    else bytes.writeUInt32LE(code, at * 4);
  }
  return bytes;
};
const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('the charset of a feed', () => {
  it.each([
    { bigEndian: true, mark: true },
    { bigEndian: false, mark: true },
    { bigEndian: true, mark: false },
    { bigEndian: false, mark: false },
  ])('may be UTF-32 (%o)', (kind) => expect(decodeFeed(utf32('<rss>é 😀</rss>', kind))).toBe('<rss>é 😀</rss>'));

  it('is believed as declared', () => {
    expect(decodeFeed(latin1('<?xml version="1.0" encoding="windows-1251"?><a>\xcf</a>'))).toContain('П');
    expect(decodeFeed(latin1('<a>\xcf</a>'), 'text/xml; charset=windows-1251')).toContain('П');
  });

  it('is UTF-8 where the bytes are, though latin1 or ASCII is declared', () => {
    const body = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>');
    expect(decodeFeed(body)).toContain('<a>é</a>');
    expect(decodeFeed(Buffer.from('<a>é</a>'), 'text/xml; charset=us-ascii')).toBe('<a>é</a>');
  });

  it('is windows-1252 where UTF-8 is declared and nothing fits it', () => {
    expect(decodeFeed(latin1('<?xml version="1.0" encoding="utf-8"?><a>caf\xe9 \x93x\x94</a>'))).toContain('café “x”');
  });

  it('is what the document declares where the header does not fit', () => {
    const body = latin1('<?xml version="1.0" encoding="windows-1251"?><a>\xcf\xf0\xe8</a>');
    expect(decodeFeed(body, 'text/xml; charset=utf-8')).toContain('При');
  });

  it('stays UTF-8 where only a byte or two are bad', () => {
    const body = Buffer.concat([Buffer.from('<a>éèàü'), Buffer.from([0xff]), Buffer.from('</a>')]);
    expect(decodeFeed(body, 'text/xml; charset=utf-8')).toBe('<a>éèàü\ufffd</a>');
  });
});

describe('cleaned text', () => {
  it('has no NUL, control characters or halves of surrogate pairs, written or referred to', () => {
    expect(cleanText('a\0b\x08\x0b\x1f\x7f\uffffc\n\t')).toBe('abc\n\t');
    expect(cleanText('\ud800x\udc00')).toBe('\ufffdx\ufffd');
    expect(cleanText('a&#0;b&#x1F;c&#xD800;d&#55357;e')).toBe('abcde');
  });

  it('keeps what is allowed', () => {
    const fine = 'tab\t é 😀 &#9; &#10; &#13; &#32; &#xA; &#x20; &#146; &amp;#0;';
    expect(cleanText(fine)).toBe(fine);
  });

  it('reads the control characters of latin1 as what windows-1252 has there', () => {
    expect(cleanText('don\x92t')).toBe('don’t');
  });
});

describe('plain text', () => {
  it('has no beginning of a comment that never ends', () => expect(plainText('safe<!--')).toBe('safe'));

  it.each([
    ['<b>Bold</b> and <i>plain</i>', 'Bold and plain'],
    ['Tom &amp; Jerry&nbsp;&#8212; &rdquo;&#x2019;', 'Tom & Jerry — ”’'],
    ['AT&T, a & b', 'AT&T, a & b'],
    ['&unknown; &#0; x', '&unknown; \ufffd x'],
    ['1 < 2 and A<B', '1 < 2 and A<B'],
    ['  two\n\t lines  ', 'two lines'],
    ['one<br/>two', 'one two'],
    ['a<script>alert(1)</script>b<!-- c -->', 'ab'],
    ['<STYLE a="b">c</style >d<!-- e --><!-- f -->g', 'dg'],
    ['a <script> in a --> b <!-- c', 'a in a --> b <!-- c'],
    ['', ''],
  ])('of %j', (html, text) => expect(plainText(html)).toBe(text));
});
