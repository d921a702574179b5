import { describe, expect, it } from 'vitest';
import { atomOf, entry, item, jsonOf, parse, postOf, rssOf } from '../../../test/fetching/made-feeds.js';

const titles = (document: string) => parse(document).posts.map(({ title }) => title);

describe('what is no feed is refused in words', () => {
  it.each([
    ['', 'the document is empty'],
    [' \n\0', 'the document is empty'],
    ['<!DOCTYPE html><html><head><title>x</title></head><body>rss</body></html>', 'this is an HTML page, not a feed'],
    ['<html>\n<rss version="2.0"> in a page', 'this is an HTML page, not a feed'],
    ['<?xml version="1.0"?><note><to>x</to></note>', 'this is an XML document (<note>), but not a feed'],
    [`<rss ${'a="b" '.repeat(100_000)}>`, 'this feed is too broken to be read'],
    ['{"hello":"world"}', 'this is JSON, but not a JSON feed'],
    ['[1,2,3]', 'this is JSON, but not a JSON feed'],
    ['{"title":"x","items":', 'this is JSON, but not a JSON feed'],
    ['Not found', 'this is neither XML nor JSON, so not a feed'],
    ['\x89PNG\r\n\x1a\n', 'this is neither XML nor JSON, so not a feed'],
  ])('%j', (document, message) => {
    expect(() => parse(document)).toThrow(expect.objectContaining({ code: 'INVALID_CONTENT', message }));
  });
});

describe('broken XML is mended', () => {
  it.each([
    [
      'cut off',
      '<rss version="2.0"><channel><title>t</title><item><title>a</title></item><item><title>b</ti',
      ['a', 'b'],
    ],
    ['cut off in CDATA', '<rss version="2.0"><channel><item><title><![CDATA[a', ['a']],
    ['end tags in another case', '<rss version="2.0"><channel><item><title>a</Title></ITEM></channel></rss>', ['a']],
    [
      'missing end tags',
      '<rss version="2.0"><channel><item><title>a<item><title>b</title></channel></rss>',
      ['a', 'b'],
    ],
    ['ampersands', rssOf(item('<title>a & b &c</title>')), ['a & b &c']],
    ['HTML’s entities', rssOf(item('<title>a&nbsp;&eacute;</title>')), ['a é']],
    ['space before the prolog', `\n  ${rssOf(item('<title>a</title>'))}`, ['a']],
    ['junk before the prolog', `<br />\n<b>Warning</b>: x in y.php\n${rssOf(item('<title>a</title>'))}`, ['a']],
    ['junk after the end', `${rssOf(item('<title>a</title>'))}<!-- cached --></div>`, ['a']],
    [
      'an element of an item that is not closed',
      rssOf(item('<title>a</title><x>'), item('<title>b</title>')),
      ['a', 'b'],
    ],
    ['an end tag too many in an item', rssOf(item('<title>a</title></x>'), item('<title>b</title>')), ['a', 'b']],
    ['a bare < in an item', rssOf(item('<title>a</title><x>1 < 2</x>'), item('<title>b</title>')), ['a', 'b']],
    ['control characters', rssOf(item('<title>a\x0bb\0&#x1;</title>')), ['ab']],
  ])('%s', (_, document, expected) => {
    expect(titles(document)).toEqual(expected);
  });
});

describe('items', () => {
  it('without anything at all are left out', () => {
    expect(
      titles(
        rssOf('<item/>', '<item></item>', item('<title> </title><category>x</category>'), item('<title>a</title>')),
      ),
    ).toEqual(['a']);
    expect(titles(atomOf(entry(), entry('<title>a</title>')))).toEqual(['a']);
    expect(titles(jsonOf({ title: 'x', items: [{}, null, 7, { title: 'a' }] }))).toEqual(['a']);
  });

  it('may be missing altogether', () => {
    expect(parse('<rss version="2.0"><channel></channel></rss>').posts).toEqual([]);
    expect(parse('<rss version="2.0"/>').posts).toEqual([]);
    expect(parse(atomOf('<title>t</title>'))).toMatchObject({ title: 't', posts: [] });
    expect(parse(jsonOf({ title: 't', items: [] }))).toMatchObject({ title: 't', posts: [] });
  });

  it('beyond the ten thousandth are not read', () => {
    const many = (one: (number: number) => string) =>
      Array.from({ length: 100_000 }, (_, number) => one(number)).join('');
    const { title, posts } = parse(
      `${rssOf(
        '<title>t</title>',
        many((number) => item(`<guid>${number}</guid>`)),
      )}`,
    );
    expect(title).toBe('t');
    expect(posts).toHaveLength(10_000);
    expect(posts.at(-1)?.externalId).toBe('9999');
  });
});

describe('attacks', () => {
  const LAUGHS = Array.from(
    { length: 9 },
    (_, level) => `<!ENTITY lol${level + 1} "${`&lol${level};`.repeat(10)}">`,
  ).join('');

  it('a billion laughs are not laughed', () => {
    const document = `<!DOCTYPE rss [<!ENTITY lol0 "lol">${LAUGHS}]>${rssOf(item('<title>&lol9;</title>')).replace(/^<\?.*?\?>/, '')}`;
    expect(postOf(document).title).toBe('&lol9;');
  });

  it('files are not read', () => {
    const document = `<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss version="2.0"><channel>${item('<title>a&x;</title>')}</channel></rss>`;
    expect(postOf(document).title).toBe('a&x;');
  });

  it('long runs of spaces hold nobody up', { timeout: 10_000 }, () => {
    const spaces = ' '.repeat(200_000);
    const based = `<rss version="2.0"><channel xml:base="https://a.example/">${item(`<enclosure url="b"${spaces}type="c"/>`)}</channel></rss>`;
    expect(postOf(based).media).toEqual([{ url: 'https://a.example/b', type: 'c' }]);
    const binary = `<id>1</id><content type="application/octet-stream">a${spaces}!</content>`;
    expect(postOf(atomOf(entry(binary))).content).toBe(`a${spaces}!`);
  });

  it('depth is bounded', () => {
    const deep = `<rss version="2.0"><channel>${item('<title>a</title>', '<x>'.repeat(100_000))}</channel></rss>`;
    expect(titles(deep)).toEqual(['a']);
    expect(() => parse(`{"title":"x","items":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toThrow('JSON');
  });
});
