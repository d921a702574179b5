import { describe, expect, it } from 'vitest';
import { atomOf, entry, item, jsonOf, parse, postOf, rdfOf, rssOf } from '../../../test/fetching/made-feeds.js';

/** Returns the value at a path in the only item of a feed. */
const at = (path: string, ...inner: string[]) =>
  postOf(rssOf(item('<title>t</title>', ...inner)), { fields: { x: [path] } }).fields?.x;
const inJson = (path: string, extra: object) =>
  postOf(jsonOf({ title: 't', items: [{ id: '1', ...extra }] }), { fields: { x: [path] } }).fields?.x;
/** Returns title and number of each post, which must come from the same item. */
const numbered = (document: string) =>
  parse(document, { fields: { n: ['job:n'] } }).posts.map(({ title, fields }) => [title, fields?.n]);
const one = (number: number, ...inner: string[]) => item(...inner, `<title>t${number}</title><job:n>${number}</job:n>`);

describe('fields', () => {
  it('are read by name, from the first path that leads to something', () => {
    const job = item('<title>t</title><company> </company><job:employer>Bread</job:employer><city>Berlin</city>');
    const fields = { company: ['company', 'job:employer', 'title'], place: ['location', 'city'], salary: ['salary'] };
    expect(postOf(rssOf(job), { fields }).fields).toEqual({ company: 'Bread', place: 'Berlin' });
  });

  it('are not there unless they are asked for', () => {
    expect(postOf(rssOf(item('<title>t</title>')))).not.toHaveProperty('fields');
    expect(postOf(rssOf(item('<title>t</title>')), { fields: {} }).fields).toEqual({});
  });

  it('change nothing else of a feed', () => {
    const document = rssOf(item('<guid>1</guid><description><![CDATA[<item>]]></description>'), '<item/>', one(2));
    const plain = parse(document);
    const { posts, ...feed } = parse(document, { fields: { x: ['title'] } });
    expect({ ...feed, posts: posts.map(({ fields, ...post }) => post) }).toEqual(plain);
  });
});

describe('a path', () => {
  it.each([
    ['company', '<company>Bread</company>', 'Bread'],
    ['Company', '<COMPANY>Bread</COMPANY>', 'Bread'],
    ['job:company', '<job:company>Bread</job:company>', 'Bread'],
    ['JOB:company', '<job:Company>Bread</job:Company>', 'Bread'],
    ['location/city', '<location><country>DE</country><city>Berlin</city></location>', 'Berlin'],
    ['location/city', '<location><a><city>Berlin</city></a></location><city>Bonn</city>', undefined],
    ['city', '<location><city>Berlin</city></location>', undefined],
    ['media:content@url', '<media:content url="https://a.example/?b&amp;c"/>', 'https://a.example/?b&c'],
    ['guid@isPermaLink', "<guid ispermalink = 'false'>1</guid>", 'false'],
    ['a/b@c', '<a c="1"><b d="2"/><b c="3"/></a>', '3'],
    ['a@b', '<a xb="1" c="b=2"/>', undefined],
    ['job:company', '<company>Bread</company><work:company>Co.</work:company>', undefined],
    ['', '<company>Bread</company>', undefined],
    ['a//b', '<a><b>x</b></a>', undefined],
  ])('%s in %s leads to %j', (path, inner, value) => expect(at(path, inner)).toEqual(value));

  it('without a prefix means the bare name, and any prefix only if that leads to nothing', () => {
    const prefixed = '<job:company>Bread</job:company>';
    expect(at('company', prefixed)).toBe('Bread');
    expect(at('company', prefixed, '<company>Cake</company>')).toBe('Cake');
    expect(at('company', prefixed, '<company/>')).toBe('Bread');
    expect(at('company', '<mycompany>Cake</mycompany>')).toBeUndefined();
    expect(at('location/city', '<job:location><g:city>Berlin</g:city></job:location>')).toBe('Berlin');
    expect(at('job:location/city', '<g:location><city>Bonn</city></g:location>')).toBeUndefined();
    expect(at('a@resource', '<a rdf:resource="x"/>')).toBe('x');
  });

  it('leads into Atom and RDF as well', () => {
    const fields = { x: ['job:company', 'category@term'] };
    const atom = atomOf(entry('<id>1</id><category term="a"/><category term="b"/>'));
    expect(postOf(atom, { fields }).fields).toEqual({ x: ['a', 'b'] });
    const rdf = rdfOf('<title>t</title>', item('<title>x</title><job:company>Bread</job:company>'));
    expect(postOf(rdf, { fields }).fields).toEqual({ x: 'Bread' });
  });

  it('means names as they are written, whatever else is made of them', () => {
    expect(at('xhtml:body', '<xhtml:body><p>x</p></xhtml:body>')).toBe('x');
    const atom = atomOf(entry('<id>1</id><link>https://a.example/1</link>'));
    expect(postOf(atom, { fields: { x: ['link'] } }).fields).toEqual({ x: 'https://a.example/1' });
  });
});

describe('a value', () => {
  it.each([
    ['  two\n lines ', 'two lines'],
    ['Bread &amp; Co.&#8217;s', 'Bread & Co.’s'],
    ['caf&eacute;', 'café'],
    ['<![CDATA[Bread & Co.]]>', 'Bread & Co.'],
    ['<![CDATA[Bread &amp; Co.]]>', 'Bread & Co.'],
    ['a<![CDATA[b]]>c<!-- d -->e', 'abce'],
    ['&lt;b&gt;Bread&lt;/b&gt;&lt;br&gt;Co.', 'Bread Co.'],
    ['<![CDATA[<p>one</p><p>two</p><script>x</script>]]>', 'one two'],
    ['<b>Br</b>ead', 'Bread'],
    ['<street>Way 1</street><city>Berlin</city><zip/>', 'Way 1 Berlin'],
    ['1 &lt; 2', '1 < 2'],
    ['&amp;#0;a&amp;#1;b', '\ufffdab'],
    ['&lt;p&gt; &lt;/p&gt;', undefined],
    ['<![CDATA[]]>', undefined],
  ])('%j is %j', (inner, value) => expect(at('x', `<x>${inner}</x>`)).toBe(value));

  it('that is said several times is a list, each once and the empty ones left out', () => {
    expect(at('x', '<x>a</x><x/><x>b</x><x> </x><x>a</x>')).toEqual(['a', 'b']);
    expect(at('x', '<x>a</x><x>a</x>')).toBe('a');
  });

  it('is one of fifty at most, of two thousand characters', () => {
    const many = Array.from({ length: 100 }, (_, number) => `<x>${number}</x>`).join('');
    expect(at('x', many)).toEqual(Array.from({ length: 50 }, (_, number) => String(number)));
    expect(at('x', `<x>${'a'.repeat(3_000)}</x>`)).toBe('a'.repeat(2_000));
    expect(at('x', `<x>a${'😀'.repeat(3_000)}</x>`)).toBe(`a${'😀'.repeat(999)}`);
    expect(at('x', `<x><![CDATA[${'<a>b</a>'.repeat(200_000)}]]></x>`)).toMatch(/^b{1000,2000}$/);
  });
});

describe('fields of JSON', () => {
  it.each([
    ['company', { company: 'Bread &amp; <b>Co.</b>\n' }, 'Bread & Co.'],
    ['_job/Company', { _Job: { company: 'Bread' } }, 'Bread'],
    ['tags', { tags: ['a', 'b', '', null, 'a'] }, ['a', 'b']],
    ['jobs/city', { jobs: [{ city: 'Berlin' }, 7, null, { city: ['Bonn'] }] }, ['Berlin', 'Bonn']],
    ['salary', { salary: 40_000.5 }, '40000.5'],
    ['remote', { remote: false }, 'false'],
    ['company', { company: { name: 'Bread' } }, undefined],
    ['company', { company: null }, undefined],
    ['company', { company: [[['Bread']]] }, undefined],
    ['constructor/name', {}, undefined],
    ['length', { title: 'x' }, undefined],
    ['a@b', { a: { b: 'x' } }, undefined],
    ['nul', { nul: '\0a\ud800' }, 'a\ufffd'],
  ])('%s in %j is %j', (path, extra, value) => expect(inJson(path, extra)).toEqual(value));

  it('belong to their item, though others are dropped or repeated', () => {
    const items: unknown[] = [
      null,
      { id: '1', n: 1 },
      {},
      { id: '1', n: 2 },
      'x',
      { id: '3', n: 3, constructor: 'x' },
      { id: '4', n: 4 },
    ];
    const { posts } = parse(jsonOf({ title: 't', items }), { fields: { n: ['n'] } });
    expect(posts.map(({ externalId, fields }) => [externalId, fields?.n])).toEqual([
      ['1', '1'],
      ['4', '4'],
    ]);
  });
});

describe('fields belong to their item', () => {
  it('where others are empty or repeated', () => {
    const again = '<guid>g</guid><title>t2</title>';
    const document = rssOf(
      '<item/>',
      one(1),
      '<item></item>',
      item(again, '<job:n>2</job:n>'),
      item(again),
      '<item/>',
      one(3),
    );
    expect(numbered(document)).toEqual([
      ['t1', '1'],
      ['t2', '2'],
      ['t3', '3'],
    ]);
  });

  it.each([
    ['not closed', '<item><job:n>1</job:n><title>t1<item/><item><job:n>2</job:n><title>t2</channel></rss>'],
    [
      'closed in another case',
      '<item><title>t1</title><job:n>1</job:N></ITEM><item/><item><title>t2</title><job:n>2</job:n></item>',
    ],
    ['cut off', '<item/><item><title>t1</title><job:n>1</job:n></item><item><title>t2</title><job:n>2</job:n></it'],
    [
      'after a stray <',
      '<item><title>t1</title>1 < 2<job:n>1</job:n></item><item></item><item><job:n>2</job:n><title>t2</title></item>',
    ],
    [
      'with HTML among them',
      '<item><description><p>a<br>b<item></description><title>t1</title><job:n>1</job:n></item><item><title>t2</title><job:n>2</job:n></item>',
    ],
  ])('where they are %s', (_, items) => {
    const document = `<rss version="2.0" xmlns:job="u"><channel><title>x</title>${items}`;
    expect(numbered(document)).toEqual([
      ['t1', '1'],
      ['t2', '2'],
    ]);
  });

  it('where lists and texts have items of their own', () => {
    const listing = '<skills><item>a</item><item><job:n>9</job:n></item></skills>';
    const quoting = '<description><![CDATA[<item><job:n>8</job:n></item>]]></description><!-- <item> -->';
    expect(numbered(rssOf(one(1, listing), '<item/>', one(2, quoting), one(3)))).toEqual([
      ['t1', '1'],
      ['t2', '2'],
      ['t3', '3'],
    ]);
  });

  it('where items have ids of XML', () => {
    const marked = (id: string, number: number) => one(number).replace('<item>', `<item xml:id="${id}">`);
    expect(numbered(rssOf(marked('1', 1), marked('0', 2)))).toEqual([
      ['t1', '1'],
      ['t2', '2'],
    ]);
  });

  it('where the document has another shape', () => {
    expect(numbered(`<rss version="2.0">${one(1)}<item/>${one(2)}</rss>`)).toHaveLength(2);
    const inChannel = `<RDF xmlns="http://purl.org/rss/1.0/"><channel><title>x</title><item/>${one(1)}${one(2)}</channel></RDF>`;
    const prefixed = `<a:feed xmlns:a="http://www.w3.org/2005/Atom">${[1, 2]
      .map((number) => `<a:entry><a:title>t${number}</a:title><job:n>${number}</job:n></a:entry>`)
      .join('<a:entry/>')}</a:feed>`;
    for (const document of [inChannel, prefixed]) {
      expect(numbered(document)).toEqual([
        ['t1', '1'],
        ['t2', '2'],
      ]);
    }
  });
});

it('a great many elements hold nobody up', { timeout: 20_000 }, () => {
  const many = `<x a="1">y</x>`.repeat(20_000);
  expect(at('x', many)).toBe('y');
  expect(at('a/b', '<a>'.repeat(1_000))).toBeUndefined();
  expect(at('x@b', `<x ${'a '.repeat(100_000)}/>`)).toBeUndefined();
});
