import { describe, expect, it } from 'vitest';
import { atomOf, entry, item, parse, postOf, rssOf } from '../../../test/fetching/made-feeds.js';

const ids = (document: string) => parse(document).posts.map(({ externalId }) => externalId);

describe('ids', () => {
  it('are the guid, else the link, else made of what is there', () => {
    const [guid, link, made] = ids(
      rssOf(
        item('<guid>g</guid><link>https://a.example/1</link>'),
        item('<link>https://a.example/2</link><title>x</title>'),
        item('<title>only a title</title>'),
      ),
    );
    expect([guid, link]).toEqual(['g', 'https://a.example/2']);
    expect(made).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('that are made stay the same while the item does', () => {
    const titled = (title: string) => ids(rssOf(item(`<title>${title}</title><pubDate>soon</pubDate>`)))[0];
    expect(titled('a')).toBe(titled('a'));
    expect(titled('a')).not.toBe(titled('b'));
  });

  it('that several items share are distinguished by their links', () => {
    const same = (link: string) => item(`<guid isPermaLink="false">g</guid><link>https://a.example/${link}</link>`);
    expect(ids(rssOf(same('1'), same('2')))).toEqual(['g https://a.example/1', 'g https://a.example/2']);
  });

  it('that several items share with the same link are distinguished by their titles', () => {
    const same = (title: string) => item(`<guid isPermaLink="false">g</guid><title>${title}</title>`);
    expect(ids(rssOf(same('a'), same('b'), same('a')))).toEqual(['g a', 'g b']);
  });

  it('are not a link that several items have, nor the site’s own', () => {
    const titled = (title: string) => item(`<link>https://a.example/x</link><title>${title}</title>`);
    expect(new Set(ids(rssOf(titled('a'), titled('b')))).size).toBe(2);
    const home = rssOf('<link>https://a.example/</link>', item('<link>https://a.example/</link><title>x</title>'));
    expect(ids(home)[0]).toMatch(/^sha256:/);
  });

  it('of exact repetitions are one, and the first stays', () => {
    const same = (content: string) => item(`<guid>g</guid><title>x</title><description>${content}</description>`);
    const { posts } = parse(rssOf(same('first'), same('second')));
    expect(posts.map(({ content }) => content)).toEqual(['first']);
  });

  it('that are too long for an index become a hash', () => {
    expect(ids(rssOf(item(`<guid>${'g'.repeat(5_000)}</guid>`)))[0]).toMatch(/^sha256:/);
  });
});

describe('addresses', () => {
  it.each([
    ['<guid>https://a.example/p</guid>', 'https://a.example/p'],
    ['<guid isPermaLink="true">https://a.example/p</guid>', 'https://a.example/p'],
    ['<guid isPermaLink="false">https://a.example/p</guid>', undefined],
    ['<guid>1234</guid>', undefined],
    ['<link>/x/../y</link><title>t</title>', 'https://feeds.example/y'],
    ['<link>javascript:alert(1)</link><title>t</title>', undefined],
    ['<link>https://</link><title>t</title>', undefined],
  ])('%s leads to %s', (inner, url) => expect(postOf(rssOf(item(inner))).url).toBe(url));

  it('are relative to the document, or to where it says that it lies', () => {
    const document = rssOf(item('<link>x</link><title>t</title>'));
    expect(postOf(document)).toMatchObject({ url: 'https://feeds.example/news/x' });
    const moved = postOf(document, { contentLocation: 'https://other.example/a/b' });
    expect(moved).toMatchObject({ url: 'https://other.example/a/x', contentBase: 'https://other.example/a/b' });
  });

  it('are relative to the innermost xml:base', () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://a.example/"><link href="home"/>
      <entry xml:base="b/"><id>1</id><link xml:base="c/" href="d"/><link rel="enclosure" href="e.mp3"/>
      <content type="html" xml:base="f/">x</content></entry></feed>`;
    expect(parse(atom).siteUrl).toBe('https://a.example/home');
    expect(postOf(atom)).toMatchObject({
      url: 'https://a.example/b/c/d',
      contentBase: 'https://a.example/b/f/',
      media: [{ url: 'https://a.example/b/e.mp3' }],
    });
    const rss = `<rss version="2.0"><channel xml:base="https://a.example/"><item><link>x</link><description>y</description></item></channel></rss>`;
    expect(postOf(rss)).toMatchObject({ url: 'https://a.example/x', contentBase: 'https://a.example/' });
  });

  it('in content stay as sent', () => {
    const content = '<img src="a.png">';
    expect(postOf(rssOf(item(`<description><![CDATA[${content}]]></description>`))).content).toBe(content);
  });
});

describe('authors', () => {
  it.each([
    ['<author>ann@a.example (Ann A.)</author>', { username: 'ann@a.example', displayName: 'Ann A.' }],
    ['<author>Ann A. &lt;ann@a.example&gt;</author>', { username: 'ann@a.example', displayName: 'Ann A.' }],
    ['<author>ann@a.example</author>', { username: 'ann@a.example', displayName: 'ann@a.example' }],
    ['<dc:creator>Ann</dc:creator>', { username: 'Ann', displayName: 'Ann' }],
    ['<itunes:author>Ann &amp;amp; Bob</itunes:author>', { username: 'Ann & Bob', displayName: 'Ann & Bob' }],
    ['<atom:author><atom:name>Ann</atom:name></atom:author>', { username: 'Ann', displayName: 'Ann' }],
    ['<dc:creator>Ann</dc:creator><dc:creator>Bob</dc:creator>', { username: 'Ann', displayName: 'Ann, Bob' }],
  ])('%s', (inner, author) => expect(postOf(rssOf(item('<title>x</title>', inner))).author).toEqual(author));

  it('of the feed write what names nobody', () => {
    const atom = atomOf('<author><name>Ann</name><email>ann@a.example</email></author>', entry('<id>1</id>'));
    expect(postOf(atom).author).toEqual({ username: 'ann@a.example', displayName: 'Ann' });
    const rss = rssOf('<managingEditor>ed@a.example (Ed)</managingEditor>', item('<title>x</title>'));
    expect(postOf(rss).author).toEqual({ username: 'ed@a.example', displayName: 'Ed' });
  });
});

describe('media', () => {
  it('are enclosures, Media RSS and pictures, each once, over http only', () => {
    const { media } = postOf(
      rssOf(
        item(
          '<enclosure url="https://a.example/1.mp3" type="audio/mpeg" length="1"/><enclosure url="file:///etc/passwd" type="x" length="1"/>',
          '<media:content url="https://a.example/1.mp3"/>',
          '<media:group><media:content url="/2.mp4" type="video/mp4"/><media:thumbnail url="https://a.example/3.jpg"/></media:group>',
          '<itunes:image href="https://a.example/4.jpg"/>',
        ),
      ),
    );
    expect(media).toEqual([
      { url: 'https://a.example/1.mp3', type: 'audio/mpeg' },
      { url: 'https://feeds.example/2.mp4', type: 'video/mp4' },
      { url: 'https://a.example/3.jpg' },
      { url: 'https://a.example/4.jpg' },
    ]);
  });
});

it('comments and likes are counted where the feed tells them', () => {
  expect(postOf(rssOf(item('<title>x</title><slash:comments>7</slash:comments>'))).metrics).toEqual({ comments: 7 });
  expect(postOf(rssOf(item('<title>x</title><slash:comments>-7</slash:comments>'))).metrics).toBeUndefined();
  const community =
    '<media:community><media:starRating count="5" average="5.00"/><media:statistics views="9"/></media:community>';
  expect(postOf(atomOf(entry(`<id>1</id><media:group>${community}</media:group>`))).metrics).toEqual({ likes: 5 });
});

describe('how often a feed may be asked', () => {
  it.each([
    ['<ttl>90</ttl>', { everySeconds: 5_400 }],
    ['<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>', { everySeconds: 21_600 }],
    ['<sy:updatePeriod>hourly</sy:updatePeriod>', { everySeconds: 3_600 }],
    ['<ttl>10</ttl><sy:updatePeriod>hourly</sy:updatePeriod>', { everySeconds: 3_600 }],
    ['<skipHours><hour>3</hour></skipHours>', { skipHours: [3] }],
    ['<skipHours><hour>0</hour><hour>24</hour><hour>25</hour><hour>x</hour></skipHours>', { skipHours: [0] }],
    ['<skipDays><day>Sunday</day><day>saturday</day><day>Someday</day></skipDays>', { skipDays: [0, 6] }],
    ['<ttl>soon</ttl>', {}],
    ['<ttl>-5</ttl>', {}],
    ['', {}],
  ])('%s', (inner, allows) => expect(parse(rssOf('<title>x</title>', inner)).allows).toEqual(allows));
});
