import { describe, expect, it } from 'vitest';
import { atomOf, entry, item, jsonOf, parse, postOf, rdfOf, rssOf } from '../../../test/fetching/made-feeds.js';

const titles = (document: string) => parse(document).posts.map(({ title }) => title);

describe('what is no feed is refused in words', () => {
  it('a document of more elements than there is memory for', () => {
    const message = 'the feed has more than 1,000,000 tags';
    expect(() => parse(rssOf(item('<a/>'.repeat(1_000_001))))).toThrow(
      expect.objectContaining({ code: 'INVALID_CONTENT', message }),
    );
  });

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

describe('damage costs the item that it is in', () => {
  const six = ['a', 'b', 'c', 'd', 'e', 'f'];
  const items = six.map((name) =>
    item(
      `<title>${name}</title><link>https://a.example/${name}</link><description><![CDATA[<p>${name}]]></description>`,
    ),
  );
  const feed = rssOf('<title>News</title><link>https://a.example/</link>', ...items);

  it.each([
    ['an element of the head that is not closed', feed.replace('</link>', '')],
    ['a quote missing in the head', feed.replace('version="2.0"', 'version="2.0')],
    ['a declaration without its second mark', feed.replace('?>', '>')],
    ['an item that is not closed', feed.replace('</item>', '')],
    ['items none of which is closed', feed.replaceAll('</item>', '')],
    ['an item whose start tag is damaged', feed.replace('<item><title>c', '<itqm><title>c')],
    ['a first item whose start tag is damaged', feed.replace('<item>', '<itqm>')],
    ['a section that does not end', feed.replace(']]>', ']>')],
    ['a field that is not closed', feed.replace('c</title>', 'c')],
    ['an end tag with a wrong character', feed.replace('</description>', '</descriptiom>')],
    ['a tag without its end', feed.replace('</title><link>https://a.example/d', '</title<link>https://a.example/d')],
    ['a comment that does not end', feed.replace('<item><title>b', '<!-- <item><title>b')],
    ['a root that cannot be read', feed.replace('<rss', 'Xrss')],
    ['a document type that does not end', feed.replace('<rss', '<!DOCTYPE rss [<rss')],
    ['a beginning that is missing', feed.slice(30)],
  ])('%s', (_, damaged) => {
    expect(damaged).not.toBe(feed);
    expect(titles(damaged)).toEqual(six);
  });

  it.each([
    ['RDF', rdfOf('<title>t</title>', item('<title>a</title>'), item('<title>b</title>')).replace('</title>', '')],
    ['Atom', atomOf('<title>t</title>', entry('<title>a</title>'), entry('<title>b</title>')).replace('</entry>', '')],
    ['Atom with a prefix', '<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry><a:title>a<a:entry><a:title>b'],
  ])('in %s, too', (_, damaged) => {
    expect(titles(damaged)).toEqual(['a', 'b']);
  });

  it.each([
    ['a wrong character', (json: string) => json.replace('"title":"b"', '"title"#"b"'), ['a', undefined, 'c']],
    ['a missing bracket', (json: string) => json.replace('"title":"b"}', '"title":"b"'), ['a', 'b', 'c']],
    ['a cut', (json: string) => json.slice(0, json.indexOf('"title":"c"')), ['a', 'b', undefined]],
    ['a missing beginning', (json: string) => json.slice(20), ['a', 'b', 'c']],
    ['a backslash too many', (json: string) => json.replace('"title":"b"', '"title":"b\\q"'), ['a', 'bq', 'c']],
  ])('in JSON, too: %s', (_, damage, expected) => {
    const whole = jsonOf({
      title: 't',
      items: ['a', 'b', 'c'].map((name) => ({ id: `id-${name}`, url: '', title: name })),
    });
    expect(titles(damage(whole))).toEqual(expected);
  });

  it('and what is left of nothing is an error', () => {
    for (const damaged of [
      '<rss version="2.0"><channel><title>News',
      '<rss version="2.0"><channel><title>x</channel>',
    ]) {
      expect(() => parse(damaged)).toThrow('the feed could not be read: it is damaged, and no item was found in it');
    }
    expect(parse('<rss version="2.0"><channel><!-- <item><title>a</title></item> --></channel></rss>').posts).toEqual(
      [],
    );
  });

  it.each([
    ['a list of products', '<catalog><item><title>a</title></item></catalog>', 'not a feed'],
    ['a page', '<html><body><rss><item><title>a</title></item></rss></body></html>', 'HTML page'],
  ])('but %s is no feed', (_, document, reason) => {
    expect(() => parse(document)).toThrow(reason);
  });
});

describe('broken XML is repaired', () => {
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
