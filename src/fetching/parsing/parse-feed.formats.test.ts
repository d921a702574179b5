import { describe, expect, it } from 'vitest';
import {
  atomOf,
  entry,
  FEED_URL,
  item,
  jsonOf,
  parse,
  postOf,
  rdfOf,
  rssOf,
} from '../../../test/fetching/made-feeds.js';

describe('RSS', () => {
  it('is read', () => {
    const feed = parse(
      rssOf(
        '<title>News &amp; more</title><link>https://site.example/</link>',
        '<atom:link rel="hub" href="https://hub.example/"/><atom:link rel="self" href="https://site.example/feed"/>',
        item(
          '<guid isPermaLink="false">id-1</guid><title>One</title><link>https://site.example/1</link>',
          '<description>&lt;p&gt;Hello&lt;/p&gt;</description><pubDate>Thu, 01 Jan 2004 19:48:21 GMT</pubDate>',
        ),
      ),
    );
    expect(feed).toMatchObject({
      title: 'News & more',
      siteUrl: 'https://site.example/',
      hubUrls: ['https://hub.example/'],
      selfUrl: 'https://site.example/feed',
    });
    expect(feed.posts).toEqual([
      {
        externalId: 'id-1',
        title: 'One',
        url: 'https://site.example/1',
        content: '<p>Hello</p>',
        contentBase: FEED_URL,
        author: { username: '', displayName: '' },
        media: [],
        publishedAt: new Date('2004-01-01T19:48:21Z'),
      },
    ]);
  });

  it.each(['0.91', '0.92', '2.0'])('%s has items in its channel', (version) => {
    const document = `<rss version="${version}"><channel>${item('<title>x</title>')}</channel></rss>`;
    expect(postOf(document).title).toBe('x');
  });

  it('content:encoded comes before the description', () => {
    const both = item('<description>short</description><content:encoded><![CDATA[<p>long</p>]]></content:encoded>');
    expect(postOf(rssOf(both)).content).toBe('<p>long</p>');
  });

  it('an item’s summary stands in for a missing description', () => {
    expect(postOf(rssOf(item('<itunes:summary>sum</itunes:summary>'))).content).toBe('sum');
    expect(postOf(rssOf(item('<media:description>sum</media:description>'))).content).toBe('sum');
  });

  it('an XHTML body is content', () => {
    const body = '<body xmlns="http://www.w3.org/1999/xhtml"><p>Hi</p></body>';
    expect(postOf(rssOf(item(body))).content).toBe('<p>Hi</p>');
  });

  it('dates may be Dublin Core’s, and the first that can be read counts', () => {
    const published = (...inner: string[]) => postOf(rssOf(item('<title>x</title>', ...inner))).publishedAt;
    expect(published('<dc:date>2003-12-31</dc:date>')).toEqual(new Date('2003-12-31'));
    expect(published('<dcterms:issued>2003-12-31</dcterms:issued>')).toEqual(new Date('2003-12-31'));
    expect(published('<pubDate>soon</pubDate><dc:date>2003-12-31</dc:date>')).toEqual(new Date('2003-12-31'));
    expect(published('<pubDate>soon</pubDate>')).toBeUndefined();
  });
});

describe('RDF', () => {
  const document = rdfOf(
    '<title>Old news</title><link>https://site.example/</link><items><rdf:Seq><rdf:li resource="https://site.example/1"/></rdf:Seq></items>',
    '<item rdf:about="https://site.example/1"><title>One</title><link>https://site.example/1</link><dc:creator>Ann</dc:creator><dc:date>2003-12-31</dc:date></item>',
    '<item rdf:about="https://site.example/2"><title>Two</title><content:encoded>&lt;b&gt;2&lt;/b&gt;</content:encoded></item>',
  );

  it('is read with all its items, also those that its list forgets', () => {
    const { title, posts } = parse(document);
    expect(title).toBe('Old news');
    expect(posts).toMatchObject([
      {
        externalId: 'https://site.example/1',
        title: 'One',
        author: { displayName: 'Ann' },
        publishedAt: new Date('2003-12-31'),
      },
      { externalId: 'https://site.example/2', url: 'https://site.example/2', content: '<b>2</b>' },
    ]);
  });

  it('of Netscape’s time has items too', () => {
    const old = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://my.netscape.com/rdf/simple/0.9/">
      <channel><title>t</title></channel><item><title>x</title><link>https://site.example/x</link></item></rdf:RDF>`;
    expect(postOf(old)).toMatchObject({ title: 'x', externalId: 'https://site.example/x' });
  });
});

describe('Atom', () => {
  it('is read', () => {
    const feed = parse(
      atomOf(
        '<title>News</title><link href="https://site.example/"/><link rel="self" href="/self"/><link rel="hub" href="https://hub.example/"/>',
        entry(
          '<id>tag:1</id><title type="html">A &amp;amp; &lt;b&gt;B&lt;/b&gt;</title><link href="/1"/>',
          '<published>2003-12-13T08:29:29-04:00</published><updated>2005-07-31T12:29:29Z</updated>',
          '<content type="html">&lt;p&gt;Hello&lt;/p&gt;</content><summary>no</summary>',
        ),
      ),
    );
    expect(feed).toMatchObject({
      title: 'News',
      siteUrl: 'https://site.example/',
      selfUrl: 'https://feeds.example/self',
      hubUrls: ['https://hub.example/'],
    });
    expect(feed.posts).toMatchObject([
      {
        externalId: 'tag:1',
        title: 'A & B',
        url: 'https://feeds.example/1',
        content: '<p>Hello</p>',
        publishedAt: new Date('2003-12-13T12:29:29Z'),
      },
    ]);
  });

  it.each([
    ['<content type="text">1 &lt; 2</content>', '1 &lt; 2'],
    ['<content>1 &lt; 2</content>', '1 &lt; 2'],
    ['<content>&lt;p&gt;x&lt;/p&gt;</content>', '<p>x</p>'],
    [
      '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>x &lt; y</p></div></content>',
      '<p>x &lt; y</p>',
    ],
    ['<content type="text/html">&lt;p&gt;x&lt;/p&gt;</content>', '<p>x</p>'],
    ['<summary>just this</summary>', 'just this'],
    [`<content type="application/octet-stream">${btoa('some text')}</content>`, 'some text'],
    [`<content type="image/png">${Buffer.from([0x89, 0xff, 0xfe]).toString('base64')}</content>`, ''],
    [`<content type="image/png" src="x.png"/><summary>a picture</summary>`, 'a picture'],
  ])('%s is the HTML %s', (element, content) =>
    expect(postOf(atomOf(entry('<id>1</id>', element))).content).toBe(content),
  );

  it('takes the updated date where there is no other', () => {
    const { publishedAt } = postOf(atomOf(entry('<id>1</id><updated>2003-12-31T00:00:00Z</updated>')));
    expect(publishedAt).toEqual(new Date('2003-12-31'));
  });

  it('links to the page rather than to another format of it', () => {
    const links =
      '<link type="application/json" href="/1.json"/><link rel="alternate" type="text/html" href="/1.html"/>';
    expect(postOf(atomOf(entry(links))).url).toBe('https://feeds.example/1.html');
  });

  it('may write a link’s address between the tags', () => {
    expect(postOf(atomOf(entry('<id>1</id><link>https://site.example/1</link>'))).url).toBe('https://site.example/1');
  });

  it('leaves out what cannot be stored, though base64 hides it', () => {
    const feed = atomOf(
      `<title mode="base64">${btoa('a\0b')}</title>`,
      entry(`<id>1</id><content type="application/octet-stream">${btoa('c\0d')}</content>`),
    );
    expect(parse(feed).title).toBe('ab');
    expect(postOf(feed).content).toBe('cd');
  });

  it('0.3 is read, base64 and all', () => {
    const document = `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Old</title>
      <entry><id>1</id><title mode="base64" type="text/html">${btoa('<b>Bold</b>')}</title><issued>2003-12-31T00:00:00Z</issued>
      <content type="text/html" mode="escaped">&lt;p&gt;x&lt;/p&gt;</content></entry></feed>`;
    expect(parse(document).title).toBe('Old');
    expect(postOf(document)).toMatchObject({ title: 'Bold', content: '<p>x</p>', publishedAt: new Date('2003-12-31') });
  });

  it('may be one entry alone', () => {
    const alone = '<entry xmlns="http://www.w3.org/2005/Atom"><id>1</id><title>x</title></entry>';
    expect(postOf(alone)).toMatchObject({ externalId: '1', title: 'x' });
  });
});

describe('JSON Feed', () => {
  it('is read', () => {
    const feed = parse(
      jsonOf({
        title: 'News',
        home_page_url: 'https://site.example/',
        feed_url: 'https://site.example/feed.json',
        hubs: [{ type: 'WebSub', url: 'https://hub.example/' }],
        authors: [{ name: 'Ann', url: 'https://ann.example/', avatar: '/ann.png' }],
        items: [
          { id: 1, url: '/1', title: 'One', content_html: '<p>x</p>', date_published: '2003-12-31T00:00:00Z' },
          {
            id: '2',
            content_text: 'a < b',
            attachments: [{ url: '/a.mp3', mime_type: 'audio/mpeg' }],
            image: '/i.png',
          },
        ],
      }),
    );
    expect(feed).toMatchObject({
      title: 'News',
      siteUrl: 'https://site.example/',
      selfUrl: 'https://site.example/feed.json',
      hubUrls: ['https://hub.example/'],
    });
    expect(feed.posts).toMatchObject([
      {
        externalId: '1',
        url: 'https://feeds.example/1',
        title: 'One',
        content: '<p>x</p>',
        author: { username: 'https://ann.example/', displayName: 'Ann', avatarUrl: 'https://feeds.example/ann.png' },
        publishedAt: new Date('2003-12-31'),
      },
      {
        externalId: '2',
        content: 'a &lt; b',
        media: [{ url: 'https://feeds.example/a.mp3', type: 'audio/mpeg' }, { url: 'https://feeds.example/i.png' }],
      },
    ]);
  });

  it('may say a wrong version or none', () => {
    expect(parse('{"title":"x","version":"1.1","items":[{"id":"1"}]}').posts).toHaveLength(1);
    expect(parse('{"title":"x","items":[{"id":"1"}]}').posts).toHaveLength(1);
  });

  it('hides no control characters behind escapes', () => {
    expect(postOf(String.raw`{"title":"x","items":[{"id":"a\u0000b","title":"c\ud800"}]}`)).toMatchObject({
      externalId: 'ab',
      title: 'c\ufffd',
    });
  });
});

describe('what one format writes as another', () => {
  it('is read where the prefix of RSS is not declared', () => {
    const channel = '<rss:channel><rss:title>t</rss:title></rss:channel>';
    const items = '<rss:item rdf:about="https://a.example/1"><rss:title>a</rss:title></rss:item>';
    const rdf = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"';
    expect(postOf(`<rdf:RDF ${rdf}>${channel}${items}</rdf:RDF>`)).toMatchObject({ title: 'a' });
    expect(
      parse(`<rss version="2.0">${channel.replace('</rss:channel>', `${items}</rss:channel>`)}</rss>`),
    ).toMatchObject({
      title: 't',
      posts: [{ title: 'a' }],
    });
  });

  it.each([
    ['<b>Ann</b> Lee', 'Ann Lee'],
    ['<a href="mailto:ann@a.example">Ann</a>', 'Ann'],
    ['&lt;b&gt;Ann&lt;/b&gt;', 'Ann'],
    ['<![CDATA[<a href="/ann">Ann</a>]]>', 'Ann'],
    ['Ann &lt;ann@a.example&gt;', 'Ann'],
    ['<name>Ann</name><email>ann@a.example</email>', 'Ann'],
    ['A &amp; B', 'A & B'],
  ])('is read in an author: %s', (author, displayName) => {
    expect(postOf(rssOf(item(`<author>${author}</author>`))).author).toMatchObject({ displayName });
  });

  it('costs an author of nothing but brackets no time', { timeout: 10_000 }, () => {
    const editor = `<managingEditor>${'(<['.repeat(300_000)}</managingEditor>`;
    const { posts } = parse(rssOf(editor, item('<title>x</title>', `<author>${'('.repeat(1_000_000)}</author>`)));
    expect(posts[0]?.author.displayName.length).toBeLessThan(1_000);
  });

  it('is read where items of RSS have elements of Atom', () => {
    const ofAtom =
      '<id>1</id><link href="https://a.example/1"/><published>2004-01-01T00:00:00Z</published><summary>s</summary>';
    expect(postOf(rssOf(item(ofAtom)))).toMatchObject({
      externalId: '1',
      url: 'https://a.example/1',
      content: 's',
      publishedAt: new Date('2004-01-01'),
    });
    const xhtml = '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>c</p></div></content>';
    expect(postOf(rssOf(item(ofAtom, xhtml))).content).toBe('<p>c</p>');
  });

  it('is read where RSS 1.0 has elements of RSS 2.0', () => {
    const ofRss = '<title>a</title><pubDate>Thu, 01 Jan 2004 00:00:00 GMT</pubDate><author>Ann</author>';
    expect(postOf(rdfOf('<title>t</title>', item(ofRss)))).toMatchObject({
      publishedAt: new Date('2004-01-01'),
      author: { displayName: 'Ann' },
    });
  });

  it('prefers a date that is clear to one that is guessed', () => {
    const dated = (published: string) =>
      postOf(atomOf(entry(`<id>1</id><published>${published}</published><updated>2004-05-01T00:00:00Z</updated>`)));
    expect(dated('03/04/2004').publishedAt).toEqual(new Date('2004-05-01'));
    expect(dated('3 April 2004').publishedAt).toEqual(new Date('2004-04-03'));
    expect(postOf(rssOf(item('<pubDate>03/04/2004</pubDate>'))).publishedAt).toEqual(new Date('2004-03-04'));
  });
});
