import { describe, expect, it } from 'vitest';
import { atomOf, entry, FEED_URL, item, jsonOf, rdfOf, rssOf } from '../../../../test/fetching/made-feeds.js';
import { readTwice, type Way } from '../../../../test/fetching/same-as-whole.js';
import { type FeedDocument, FetchFailure } from '../../fetcher.js';
import { parseFeed } from '../parse-feed.js';
import { readNewItems } from './read-new-items.js';

const post = (name: string, ...more: string[]) =>
  item(`<guid>${name}</guid><link>https://site.example/${name}</link><title>${name}</title>`, ...more);
const [a, b, c, d] = [post('a'), post('b'), post('c'), post('d')];
const HEAD = '<title>News</title><link>https://site.example/</link>';

const documentOf = (text: string | Uint8Array, more: Partial<FeedDocument> = {}): FeedDocument => ({
  body: Buffer.from(text as string),
  url: FEED_URL,
  ...more,
});

async function wayOf(before: string, after: string): Promise<Way> {
  return readTwice(documentOf(before), documentOf(after));
}

/** Reads one version after the other, and returns what the parser received for the last. */
async function readInTurn(...versions: string[]) {
  let digests: Uint8Array | undefined;
  let parsed: string[] = [];
  let found: Awaited<ReturnType<typeof readNewItems>>;
  for (const version of versions) {
    parsed = [];
    const parse = async (document: FeedDocument) => {
      parsed.push(Buffer.from(document.body).toString());
      return parseFeed(document);
    };
    const kept = digests ?? null;
    found = await readNewItems(documentOf(version), { parse, digests: async () => kept });
    digests = found?.digests ?? digests;
  }
  return { parsed, found, digests };
}

describe('of a feed that was read before', () => {
  it('the parser gets what is new, with all that stands around it', async () => {
    const { parsed, found } = await readInTurn(rssOf(HEAD, a, b), rssOf(HEAD, c, a, b));
    expect(parsed).toEqual([rssOf(HEAD, c)]);
    expect(found?.feed).toMatchObject({ title: 'News', posts: [{ externalId: 'c' }] });
  });

  it('what is known stays known over many readings, though no longer read', async () => {
    const { parsed } = await readInTurn(rssOf(HEAD, a, b), rssOf(HEAD, c, a, b), rssOf(HEAD, d, c, a, b));
    expect(parsed).toEqual([rssOf(HEAD, d)]);
  });

  it('the whole is read if the new items alone are rejected', async () => {
    const parse = async (document: FeedDocument) => {
      if (!Buffer.from(document.body).includes('<guid>a</guid>')) throw new FetchFailure('INVALID_CONTENT', 'refused');
      return parseFeed(document);
    };
    const first = await readNewItems(documentOf(rssOf(HEAD, a, b)), { parse });
    const known = { parse, digests: async () => first?.digests ?? null };
    const second = await readNewItems(documentOf(rssOf(HEAD, c, a, b)), known);
    expect(second).toMatchObject({ partly: false, feed: { posts: [{ externalId: 'c' }, {}, {}] } });
    await expect(readNewItems(documentOf(rssOf(HEAD, c, d, b)), known)).rejects.toThrow('refused');
  });

  it('new posts know where they stand', async () => {
    const { found } = await readInTurn(rssOf(HEAD, a, b), rssOf(HEAD, a, c, b, d));
    expect(found?.feed.posts.map(({ externalId, place }) => [externalId, place])).toEqual([
      ['c', 1],
      ['d', 3],
    ]);
  });

  it('nothing is read where nothing is new', async () => {
    const { parsed, found } = await readInTurn(rssOf(HEAD, a, b, c), rssOf(HEAD, c, a));
    expect({ parsed, found }).toEqual({ parsed: [], found: undefined });
  });

  it('all is read where more than half is new', async () => {
    expect(await wayOf(rssOf(HEAD, a), rssOf(HEAD, b, c, a))).toBe('whole');
  });

  it('nothing is kept that cannot be relied on', async () => {
    const { digests } = await readInTurn(rssOf(HEAD, a, a, b));
    expect(digests).toBeUndefined();
  });
});

const CDATA = '<description><![CDATA[<p>it’s</p><!-- more --><br> ]]></description>';
const XHTML = '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p class="x">y</p></div></content>';
const ATOM_HEAD = '<title>News</title><id>n</id><updated>2026-01-01T00:00:00Z</updated>';
const atomPost = (name: string, ...more: string[]) =>
  entry(`<id>${name}</id><link href="https://site.example/${name}"/><title>${name}</title>`, ...more);
const rdfPost = (name: string) => `<item rdf:about="https://site.example/${name}"><title>${name}</title></item>`;
const CONTENTS = '<title>News</title><items><rdf:Seq><rdf:li resource="https://site.example/a"/></rdf:Seq></items>';

it.each<[string, string, string]>([
  ['texts with markup', rssOf(HEAD, a, b), rssOf(HEAD, post('c', CDATA), a, b)],
  ['an item that has changed', rssOf(HEAD, a, b), rssOf(HEAD, a, post('b', CDATA))],
  ['Atom', atomOf(ATOM_HEAD, atomPost('a'), atomPost('b')), atomOf(ATOM_HEAD, atomPost('c', XHTML), atomPost('a'))],
  ['RSS 1.0', rdfOf(CONTENTS, rdfPost('a'), rdfPost('b')), rdfOf(CONTENTS, rdfPost('c'), rdfPost('a'), rdfPost('b'))],
  ['white space between items', rssOf(HEAD, a, '\n ', b), rssOf(HEAD, '\n\t', c, a, '\r\n', b, '\n')],
  [
    'a feed made at another time',
    rssOf(HEAD, '<lastBuildDate>1</lastBuildDate>', a),
    rssOf(HEAD, '<lastBuildDate>2</lastBuildDate>', c, a),
  ],
  [
    'a base that holds for all',
    atomOf('<title xml:base="/x/">t</title>', atomPost('a')),
    atomOf('<title xml:base="/x/">t</title>', atomPost('c', '<link rel="enclosure" href="y"/>'), atomPost('a')),
  ],
  [
    'items without ids',
    rssOf(item('<link>https://site.example/a</link>')),
    rssOf(item('<title>x</title>'), item('<link>https://site.example/a</link>')),
  ],
])('the short way is taken with %s', async (_, before, after) => {
  expect(await wayOf(before, after)).toBe('in part');
});

it.each<[string, string, string]>([
  ['the time changes', rssOf(HEAD, '<pubDate>1</pubDate>', a), rssOf(HEAD, '<pubDate>2</pubDate>', a)],
  ['a remark changes', `${rssOf(HEAD, a)}<!-- made in 1 s -->`, `${rssOf(HEAD, a)}<!-- made in 2 s -->`],
  ['the order changes', rssOf(HEAD, a, b), rssOf(HEAD, b, a)],
  ['an item goes', atomOf(ATOM_HEAD, atomPost('a'), atomPost('b')), atomOf(ATOM_HEAD, atomPost('b'))],
])('nothing is new where %s', async (_, before, after) => {
  expect(await wayOf(before, after)).toBe('nothing new');
});

describe('all is read again', () => {
  const other = (more: string) => item(`<guid>a</guid><link>https://site.example/other</link><title>a</title>${more}`);

  it.each<[string, string, string]>([
    ['a new item has the id of one that is still there', rssOf(HEAD, a, b), rssOf(HEAD, other(''), a, b)],
    [
      'a new item has the link that is the id of another',
      rssOf(item('<link>https://x.example/</link>'), b),
      rssOf(item('<link>https://x.example/</link><title>t</title>'), item('<link>https://x.example/</link>'), b),
    ],
    ['two new items have the same id', rssOf(HEAD, b, c, d), rssOf(HEAD, a, other(''), b, c, d)],
    ['known items had the same id', rssOf(HEAD, a, other(''), b), rssOf(HEAD, a, other(''), b, c)],
    ['an item comes twice', rssOf(HEAD, a, b, c), rssOf(HEAD, a, a, b, c)],
    ['a new item is empty', rssOf(HEAD, a, b), rssOf(HEAD, item(''), a, b)],
    ['what the feed says of itself changes', rssOf(HEAD, a, b), rssOf('<title>Olds</title>', c, a, b)],
    [
      'the feed has another author',
      rssOf(HEAD, '<dc:creator>Ann</dc:creator>', a, b),
      rssOf(HEAD, '<dc:creator>Bob</dc:creator>', c, a, b),
    ],
    ['the allowed interval changes', rssOf(HEAD, '<ttl>5</ttl>', a, b), rssOf(HEAD, '<ttl>60</ttl>', a, b)],
    [
      'something stands between the items',
      rdfOf(HEAD, rdfPost('a'), '<image><title>i</title></image>', rdfPost('b')),
      rdfOf(HEAD, rdfPost('c'), rdfPost('a'), '<image><title>i</title></image>', rdfPost('b')),
    ],
    [
      'items stand beside the channel',
      rssOf(HEAD, a, b).replace('</channel></rss>', `</channel>${c}</rss>`),
      rssOf(HEAD, d, a, b).replace('</channel></rss>', `</channel>${c}</rss>`),
    ],
    ['an item is not closed', rssOf(HEAD, a, b), rssOf(HEAD, '<item><title>c</title>', a, b)],
    ['an element in an item is not closed', rssOf(HEAD, a, b), rssOf(HEAD, post('c', '<description>x'), a, b)],
    [
      'a text has the tags of items',
      rssOf(HEAD, a, b),
      rssOf(HEAD, post('c', '<description><![CDATA[</item> <item>]]></description>'), a, b),
    ],
    ['a comment hides items', rssOf(HEAD, '<!--', a, '-->', b), rssOf(HEAD, '<!--', a, c, '-->', b)],
    [
      'an item hides in the head',
      rssOf(HEAD, '<textInput><description><![CDATA[', a, ']]></description></textInput>', b),
      rssOf(HEAD, '<textInput><description><![CDATA[', a, c, ']]></description></textInput>', b),
    ],
    [
      'an item speaks of feeds',
      rssOf(HEAD, a, b),
      rssOf(HEAD, post('c', '<description><![CDATA[ <feed> ]]></description>'), a, b),
    ],
    [
      'an item speaks of pauses',
      rssOf(HEAD, a, b),
      rssOf(HEAD, post('c', '<description><![CDATA[<skipHours><hour>3</hour></skipHours>]]></description>'), a, b),
    ],
    [
      'an item has a base of its own',
      atomOf(ATOM_HEAD, atomPost('a', XHTML), atomPost('b')),
      atomOf(
        ATOM_HEAD,
        atomPost('c', '<link xml:base="/x/" rel="enclosure" href="y"/>'),
        atomPost('a', XHTML),
        atomPost('b'),
      ),
    ],
    [
      'an item declares a prefix',
      rssOf(HEAD, a, b),
      rssOf(
        HEAD,
        post('c', '<m:author xmlns:m="http://www.itunes.com/dtds/podcast-1.0.dtd">x</m:author>'),
        a,
        b,
        post('d', '<m:author>y</m:author>'),
      ),
    ],
    ['a character hides a tag', rssOf(HEAD, a, b), rssOf(HEAD, c.replace('<item>', '<it\u0001em>'), a, b)],
    ['a character hides tags in an item', rssOf(HEAD, a, b), rssOf(HEAD, post('c', '<it\uffffem></it\uffffem>'), a, b)],
    [
      'the document has a type',
      `<!DOCTYPE rss [<!ENTITY x "y">]>${rssOf(HEAD, a, b)}`,
      `<!DOCTYPE rss [<!ENTITY x "z">]>${rssOf(HEAD, post('c', '<category>&x;</category>'), a, b)}`,
    ],
    [
      'it is JSON',
      jsonOf({ items: [{ id: '1', title: '<item>' }] }),
      jsonOf({ items: [{ id: '2' }, { id: '1', title: '<item>' }] }),
    ],
  ])('where %s', async (_, before, after) => {
    expect(await wayOf(before, after)).toBe('whole');
  });

  it.each<[string, Partial<FeedDocument>, Partial<FeedDocument>]>([
    ['comes from another place', {}, { url: 'https://other.example/feed' }],
    ['says that it is another place', {}, { contentLocation: 'https://other.example/' }],
    ['is sent as something else', { contentType: 'text/xml' }, { contentType: 'text/xml; charset=utf-8' }],
    ['is in another charset', { contentType: 'text/xml; charset=koi8-r' }, { contentType: 'text/xml; charset=koi8-r' }],
  ])('where it %s', async (_, before, after) => {
    const [first, second] = [rssOf(HEAD, a, b), rssOf(HEAD, c, a, b)];
    expect(await readTwice(documentOf(first, before), documentOf(second, after))).toBe('whole');
  });

  it('where its bytes are no UTF-8', async () => {
    const latin1 = (text: string) => documentOf(Buffer.from(text, 'latin1'));
    const before = rssOf(HEAD, post('a', '<category>é</category>'), b);
    expect(await readTwice(latin1(before), latin1(before.replace(b, b + c)))).toBe('whole');
  });

  it('where it has very many items', async () => {
    const many = Array.from({ length: 2_000 }, (_, number) => item(`<guid>${number}</guid>`));
    expect(await wayOf(rssOf(HEAD, ...many), rssOf(HEAD, a, ...many))).toBe('whole');
  });

  it('where it is very long', async () => {
    const long = post('long', `<description>${'x'.repeat(1_000_000)}</description>`);
    expect(await wayOf(rssOf(HEAD, a, b, long), rssOf(HEAD, c, a, b, long))).toBe('whole');
  });
});
