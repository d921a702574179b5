import { describe, expect, it } from 'vitest';
import { atomOf, entry, item, jsonOf, parse, rdfOf, rssOf } from '../../../test/fetching/made-feeds.js';

const A = item('<title>a</title>');
const B = item('<title>b</title>');
const reason = 'it is empty: no id, link, title, content, date or author';
const places = (document: string) => parse(document).unreadable?.map(({ place }) => place);
const titles = (document: string) => parse(document).posts.map(({ title }) => title);

describe('items with nothing in them', () => {
  it('are reported with their position and the reason', () => {
    expect(parse(rssOf(A, '<item/>', B)).unreadable).toEqual([{ place: 2, reason }]);
  });

  it.each([
    ['RSS', rssOf('<item/>', A, '<item></item>', item('text'), B, item('<category>x</category>'))],
    ['RDF', rdfOf('<title>t</title>', '<item/>', A, '<item></item>', '<item >\n</item>', B, item('<x:y/>'))],
    [
      'Atom',
      atomOf(
        '<entry/>',
        entry('<id>a</id><title>a</title>'),
        entry(),
        entry('<x/>'),
        entry('<title>b</title>'),
        entry(' '),
      ),
    ],
    ['JSON', jsonOf({ title: 't', items: [null, { title: 'a' }, 7, {}, { title: 'b' }, ['x']] })],
  ])('are found in %s', (_, document) => {
    expect(places(document)).toEqual([1, 3, 4, 6]);
    expect(titles(document)).toEqual(['a', 'b']);
  });

  it('are an error where there is nothing else', () => {
    for (const document of [
      rssOf('<item/>', '<item></item>'),
      '<rss version="2.0"><channel><item/></channel></rss>',
      atomOf(entry()),
      jsonOf({ items: [null] }),
    ]) {
      expect(() => parse(document)).toThrow(
        expect.objectContaining({
          code: 'INVALID_CONTENT',
          message: 'the feed could not be read: its items are empty',
        }),
      );
    }
  });

  it('are found in a broken feed, too', () => {
    expect(places('<rss version="2.0"><channel><item/><item><title>a</ITEM><item><item><title>b')).toEqual([1, 3]);
  });

  it('are not saved by the author of the feed', () => {
    const editor = '<managingEditor>ed@a.example (Ed)</managingEditor>';
    expect(places(rssOf(editor, A, '<item/>', item('<category>x</category>')))).toEqual([2, 3]);
    expect(parse(rssOf(editor, A, '<item/>')).posts).toMatchObject([{ author: { displayName: 'Ed' } }]);
    const titled = entry('<title>a</title>');
    expect(places(atomOf('<author><name>Ann</name></author>', entry(), titled))).toEqual([1]);
    expect(places(jsonOf({ title: 't', authors: [{ name: 'Ann' }], items: [{}, { title: 'a' }] }))).toEqual([1]);
  });

  it('are not items of lists, of texts or of comments', () => {
    const quoting = item('<description><![CDATA[<item></item> <item/>]]></description>');
    const listing = item('<title>a</title><skills><item/><item>x</item></skills>');
    expect(parse(rssOf(quoting, listing, '<!-- <item/> -->')).unreadable).toBeUndefined();
    expect(places(rssOf(quoting, listing, '<!-- <item/> -->', '<item/>'))).toEqual([3]);
  });
});

it('items with something odd in them are readable', () => {
  const odd = rssOf(
    item('<pubDate>whenever</pubDate>'),
    item('<author>Ann</author>'),
    item('<enclosure url="https://a.example/1.mp3" type="audio/mpeg" length="1"/>'),
    item('<guid>1</guid>'),
  );
  expect(parse(odd)).toMatchObject({ posts: [{}, {}, {}, {}] });
  expect(parse(odd).unreadable).toBeUndefined();
});

it('items that are repeated are readable', () => {
  const feed = parse(rssOf(item('<guid>1</guid>'), item('<guid>1</guid>'), '<item/>'));
  expect(feed.posts).toHaveLength(1);
  expect(feed.unreadable).toMatchObject([{ place: 3 }]);
  expect(feed.repeated).toEqual([2]);
});

it('items beyond the ten thousandth are not told', () => {
  const { posts, unreadable } = parse(rssOf(A, '<item/>'.repeat(11_000), B));
  expect(posts).toHaveLength(1);
  expect(unreadable).toHaveLength(9_999);
  expect(unreadable?.at(-1)).toMatchObject({ place: 10_000 });
  expect(places(jsonOf({ title: 't', items: [{ title: 'a' }, ...Array(11_000).fill(null)] }))).toHaveLength(9_999);
});
