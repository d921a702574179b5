import { describe, expect, it } from 'vitest';
import { decodeCharset } from './decode-charset.js';

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));
const utf16le = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('a byte order mark', () => {
  it('wins over the header, and is not part of the text', () => {
    expect(decodeCharset(bytes([0xef, 0xbb, 0xbf], 'caf', [0xc3, 0xa9]), 'text/xml; charset=iso-8859-1')).toBe('café');
  });
  it('tells both orders of UTF-16', () => {
    expect(decodeCharset(utf16le('\ufeff<a>é</a>'))).toBe('<a>é</a>');
    expect(decodeCharset(utf16be('\ufeff<a>é</a>'))).toBe('<a>é</a>');
  });
  it('is not needed to see that XML is in UTF-16', () => {
    expect(decodeCharset(utf16le('<?xml version="1.0"?><a>é</a>'))).toContain('é');
    expect(decodeCharset(utf16be('<?xml version="1.0"?><a>é</a>'))).toContain('é');
  });
});

describe('the Content-Type', () => {
  it('wins over the XML prolog', () => {
    const body = bytes('<?xml version="1.0" encoding="utf-8"?><a>', [0xe9], '</a>');
    expect(decodeCharset(body, 'text/xml; charset="ISO-8859-1"')).toContain('<a>é</a>');
  });
  it('may name any charset the web knows', () => {
    expect(decodeCharset(bytes([0xcf, 0xf0, 0xe8]), 'text/html;charset=windows-1251')).toBe('При');
    expect(decodeCharset(bytes([0x93, 0xfa, 0x96, 0x7b]), 'text/html; Charset=Shift_JIS')).toBe('日本');
  });
  it('with a charset that nobody knows leaves the choice to the prolog', () => {
    const body = bytes("<?xml version='1.0' encoding='koi8-r'?><a>", [0xf0], '</a>');
    expect(decodeCharset(body, 'text/xml; charset=klingon')).toContain('<a>П</a>');
  });
});

describe('what the document declares', () => {
  it('is found in an XML prolog', () => {
    expect(decodeCharset(bytes('<?xml version="1.0" encoding="windows-1251"?><a>', [0xcf], '</a>'))).toContain('П');
  });
  it('is found in an HTML meta charset', () => {
    expect(decodeCharset(bytes('<html><meta charset=euc-jp>', [0xc6, 0xfc]))).toContain('日');
  });
  it('is found in an HTML meta http-equiv', () => {
    const meta = '<META http-equiv="Content-Type" content="text/html; charset=iso-8859-2">';
    expect(decodeCharset(bytes(meta, [0xb1]))).toContain('ą');
  });
  it('is not looked for beyond the first 1024 bytes', () => {
    const body = bytes(' '.repeat(1100), '<meta charset=koi8-r>', [0xf0]);
    expect(decodeCharset(body)).toContain('ð');
  });
  it('is not believed when it says UTF-16 in single bytes', () => {
    expect(decodeCharset(Buffer.from('<?xml version="1.0" encoding="utf-16"?><a>é</a>'))).toContain('<a>é</a>');
  });
  it('with a charset that nobody knows leaves the choice to the bytes', () => {
    expect(decodeCharset(Buffer.from('<?xml version="1.0" encoding="x-none"?><a>é</a>'))).toContain('<a>é</a>');
  });
});

describe('without any declaration', () => {
  it('what is valid UTF-8 is UTF-8', () => expect(decodeCharset(Buffer.from('naïve 日本'))).toBe('naïve 日本'));
  it('anything else is windows-1252', () => {
    expect(decodeCharset(bytes([0x80, 0x93], 'caf', [0xe9, 0x94]))).toBe('€“café”');
  });
  it('windows-1252 has a character in each of its places', () => {
    const places = Array.from({ length: 32 }, (_, index) => 0x80 + index);
    const expected = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
    expect(decodeCharset(bytes(places), 'text/plain; charset=latin1')).toBe(expected);
  });
  it('nothing is an empty text', () => expect(decodeCharset(Buffer.alloc(0))).toBe(''));
});
