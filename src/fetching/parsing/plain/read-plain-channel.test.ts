import { describe, expect, it } from 'vitest';
import { atomOf, entry, FEED_URL, item, rssOf } from '../../../../test/fetching/made-feeds.js';
import { textOf } from '../feed-of.js';
import { readPlainChannel } from './read-plain-channel.js';

const read = (text: string) => readPlainChannel(textOf({ body: Buffer.from(text), url: FEED_URL }))?.channel;
const rss = (...inner: string[]) => read(rssOf(item('<title>x</title>', ...inner)));
const atom = (...inner: string[]) => read(atomOf(entry('<id>x</id>', ...inner)).replace(/ xmlns:atom="[^"]*"/, ''));

describe('a plain feed', () => {
  it('may be RSS with the usual modules', () => {
    const channel = rss(
      '<guid isPermaLink="false">1</guid><link>https://site.example/1</link><pubDate>Mon, 06 Sep 2021 12:00:00 GMT</pubDate>',
      '<dc:creator><![CDATA[Ann]]></dc:creator><category>c</category><description>short</description>',
      '<content:encoded><![CDATA[<p>long</p>]]></content:encoded><slash:comments>3</slash:comments>',
      '<media:group><media:content url="https://m.example/a.png" type="image/png"/></media:group>',
    );
    expect(channel?.items).toMatchObject([
      {
        id: '1',
        url: 'https://site.example/1',
        title: 'x',
        content: '<p>long</p>',
        author: { displayName: 'Ann' },
        media: [{ url: 'https://m.example/a.png', type: 'image/png' }],
        metrics: { comments: 3 },
        dates: ['Mon, 06 Sep 2021 12:00:00 GMT'],
      },
    ]);
  });

  it('may be Atom', () => {
    const channel = atom(
      '<title type="html">A &amp;amp; B</title><link rel="alternate" href="/1"/><updated>2021-09-06T12:00:00Z</updated>',
      '<author><name>Ann</name></author><content type="html">&lt;p&gt;x&lt;/p&gt;</content>',
    );
    expect(channel?.items).toMatchObject([
      { url: 'https://feeds.example/1', title: 'A & B', content: '<p>x</p>', author: { displayName: 'Ann' } },
    ]);
  });

  it('may declare another prefix before its items', () => {
    const feed = rssOf(item('<title>x</title><d:creator>Ann</d:creator>'));
    const declared = feed.replace('<channel>', '<channel xmlns:d="http://purl.org/dc/elements/1.1/">');
    expect(read(declared)?.items).toMatchObject([{ author: { displayName: 'Ann' } }]);
  });
});

describe('a feed is left to the general reader', () => {
  it.each<[string, string]>([
    ['an item is empty', rssOf(item('<title>x</title>'), item(''))],
    ['it has no items', rssOf('<title>x</title>')],
    ['an element is not closed', rssOf(item('<title>x</title><description>y'))],
    ['tags overlap', rssOf(item('<x:a><x:b></x:a></x:b><title>x</title>'))],
    ['there is text between elements', rssOf(item('<title>x</title> stray'))],
    ['a text has markup', rssOf(item('<title>x <b>y</b></title>'))],
    ['an element is repeated', rssOf(item('<title/><title>x</title>'))],
    ['a text mentions an item', rssOf(item('<title><![CDATA[<item>]]></title>'))],
    ['a remark mentions an item', rssOf('<!-- <item> -->', item('<title>x</title>'))],
    ['an element must be renamed', rssOf(item('<title>x</title><body>y</body>'))],
    [
      'a prefix is declared in an item',
      rssOf(item('<title>x</title><d:date xmlns:d="http://purl.org/dc/terms/">y</d:date>')),
    ],
    ['a prefix has another meaning', rssOf(item('<title>x</title>')).replace('purl.org/dc/elements', 'x.example')],
    ['it has a base', rssOf(item('<title xml:base="/x/">x</title>'))],
    ['it has a document type', `<!DOCTYPE rss>${rssOf(item('<title>x</title>'))}`],
    ['it limits its fetches', rssOf('<skipHours><hour>1</hour></skipHours>', item('<title>x</title>'))],
    ['a text is XHTML', atomOf(entry('<id>x</id><content type="xhtml"><div>y</div></content>'))],
    ['a character had to be removed', rssOf(item('<title>x\u0001</title>'))],
    ['something follows it', `${rssOf(item('<title>x</title>'))}<x/>`],
    ['it has very many items', rssOf(item('<title>x</title>').repeat(1_001))],
    ['it nests deeply', rssOf(item(`<title>x</title>${'<a>'.repeat(60)}${'</a>'.repeat(60)}`))],
  ])('where %s', (_, text) => {
    expect(read(text)).toBeUndefined();
  });
});
