type Random = () => number;

const NAMESPACES = [
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:d="http://purl.org/dc/elements/1.1/"',
  'xmlns:dcterms="http://purl.org/dc/terms/"',
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:c="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:media="http://search.yahoo.com/mrss/"',
  "xmlns:m='http://search.yahoo.com/mrss/'",
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"',
  'xmlns:podcast="https://podcastindex.org/namespace/1.0"',
  'xmlns:slash="http://purl.org/rss/1.0/modules/slash/"',
  'xmlns:thr="http://purl.org/syndication/thread/1.0"',
  'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"',
  'xmlns:x="https://x.example/ns"',
  'xml:lang="en"',
];

const OTHER_NAMESPACES = [
  'xmlns:atom="http://www.w3.org/2005/Atom"',
  'xmlns:a10="http://www.w3.org/2005/Atom"',
  'xmlns:fh="http://purl.org/syndication/history/1.0"',
  'xmlns:Q="http://purl.org/dc/elements/1.1/"',
  'xmlns:e="http://purl.org/dc/elements/1.1"',
  'xmlns:dc="https://x.example/other"',
  'xmlns:slash="http://purl.org/dc/elements/1.1/"',
  'xml:base="https://base.example/"',
];

const SPACES = [
  '',
  '',
  '',
  ' ',
  '\n  ',
  '\r\n\t',
  '<!-- remark -->',
  '<!-- <b>x</b> -->',
  '<!-- <item> -->',
  '<?x y?>',
  'stray',
];

const USUAL_TEXTS = [
  'plain words',
  '',
  '  ',
  ' padded ',
  'Tom &amp; Jerry',
  'a &lt;b&gt;bold&lt;/b&gt; word',
  'fish & chips',
  '?a=1&b=2&copy=3',
  '&#169; &#x1F600; &#8217; &#150; &#0; &#xD800;',
  '&nbsp;&rsquo;&Aacute;&hellip',
  '&unknown; &amp;unknown;',
  '<![CDATA[raw <b>html</b> & more]]>',
  ' <![CDATA[one]]> between &amp; <![CDATA[two &amp; three]]> ',
  '<![CDATA[]]>',
  '<![CDATA[a <!-- remark --> b]]>',
  'https://site.example/a?b=1&amp;c=2',
  'http://site.example:80/../x y',
  '/relative/path',
  '//other.example/x',
  'Mon, 06 Sep 2021 12:00:00 GMT',
  '2021-09-06T12:00:00+02:00',
  '06/09/2021 10:00',
  '\u00fcml\u00e4ut \u6f22\u5b57',
  'tab\tand\r\nline',
];

const TEXTS = [
  '<![CDATA[a <!-- open]]>',
  '<![CDATA[<item>x</item>]]>',
  '<![CDATA[<entry/> </channel>]]>',
  '<![CDATA[<feed> <link>https://x.example/</link>]]>',
  '<![CDATA[<author>A</author> <dc:author>B</dc:author>]]>',
  '<![CDATA[<x mode="base64">QUJD</x>]]>',
  '<![CDATA[<skipHours><hour>3</hour></skipHours>]]>',
  '<![CDATA[<svg xmlns:atom="http://purl.org/dc/elements/1.1/">]]>',
  '<![CDATA[xml:base and <?php echo 1 ?>]]>',
  'before <b>unescaped <i>markup</i></b> after',
  '<p>paragraph</p>',
  'text <!-- remark --> goes on',
  '<div xmlns="http://www.w3.org/1999/xhtml"><p>x</p></div>',
  'mailto:ann@example.org',
  'ann@example.org (Ann Example)',
  'ann@example.org',
  'Ann &lt;ann@example.org&gt;',
  'www.example.org [x]',
  '12',
  '-1',
  '1e3',
];

const ATTRIBUTES = [
  'isPermaLink="false"',
  'isPermaLink="true"',
  'isPermaLink="no"',
  'href="https://site.example/x"',
  "href='/y?a=1&amp;b=2'",
  'HREF="https://site.example/upper"',
  'rel="self"',
  'rel="alternate"',
  'rel="enclosure"',
  'rel="hub"',
  'rel="next"',
  'rel="prev-archive"',
  'type="html"',
  'type="text"',
  'type="xhtml"',
  'type="image/png"',
  'type="application/atom+xml"',
  'url="https://media.example/a.mp3"',
  'url = "b.mp3"',
  'src="https://site.example/content"',
  'length="12"',
  'count="7"',
  'favorites="x"',
  'medium="image"',
  'xml:lang="de"',
  'xml:base="/base/"',
  'xml:id="1"',
  'mode="escaped"',
  'title="a &gt; b"',
  'title="a > b"',
  'label="&#34;x&#34;"',
  'xmlns="http://www.w3.org/1999/xhtml"',
  'xmlns:media="http://search.yahoo.com/mrss/"',
  'xmlns:q="http://purl.org/dc/elements/1.1/"',
  'bare',
  'empty=""',
  'rdf:about="https://site.example/about"',
];

const SHARED_NAMES =
  'dc:creator dc:title dc:date dc:identifier dc:description dc:publisher dc:subject d:creator d:date dcterms:created dcterms:modified ' +
  'dcterms:issued slash:comments slash:section thr:total itunes:image media:content media:content media:group media:thumbnail media:title ' +
  'media:description media:credit m:content m:thumbnail x:unknown category';

const OTHER_NAMES =
  'dc:author DC:Creator Q:creator e:creator x:item x:entry unknown body xhtml:body fullitem Title constructor item entry atom:title a10:link';

const RSS_NAMES = names(
  `title link description guid pubDate author enclosure comments source content:encoded c:encoded itunes:author itunes:title ` +
    `itunes:summary itunes:duration podcast:transcript podcast:person atom:link dcterms:abstract dcterms:creator ${SHARED_NAMES}`,
  `${OTHER_NAMES} id updated published summary content PubDate GUID atom:updated atom:id atom:author`,
);

const ATOM_NAMES = names(
  `id title link link updated published content summary author source contributor rights thr:in-reply-to ${SHARED_NAMES}`,
  `${OTHER_NAMES} issued created modified atom:id`,
);

const CHANNEL_NAMES = names(
  'title link description language ttl managingEditor webMaster generator image textInput category lastBuildDate pubDate atom:link ' +
    'dc:creator dc:title dc:publisher itunes:author itunes:image itunes:owner sy:updatePeriod sy:updateFrequency podcast:guid x:unknown',
  'skipHours skipDays fh:complete Item item atom:title atom:author a10:link media:thumbnail Title unknown',
);

const FEED_NAMES = names(
  'id title link link updated subtitle author generator icon logo rights category dc:creator dc:title sy:updatePeriod sy:updateFrequency ' +
    'x:unknown openSearch:totalResults',
  'fh:complete Entry entry tagline modified atom:link Title unknown skipHours',
);

interface Names {
  usual: string[];
  other: string[];
}

function names(usual: string, other: string): Names {
  return { usual: usual.split(' '), other: other.split(' ') };
}

/** A feed of common elements that are put together at random. Most are unusual, and a seed always gives the same ones. */
export function mutatedFeed(random: Random): string {
  const writer = new Writer(random, random() ** 3 * 0.15);
  const declared = [...NAMESPACES, ...OTHER_NAMESPACES.filter(() => writer.isOdd)]
    .filter(() => random() < 0.6)
    .join(' ');
  const prolog = writer.odd(
    ['<?xml version="1.0"?>', '', ' ', '<?xml version="1.0"?><!-- <a> -->', '<!DOCTYPE rss>'],
    3,
  );
  const items = (tag: string, kinds: Names) =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => writer.item(tag, kinds)).join(writer.space());
  if (random() < 0.5) {
    const inside =
      writer.fields(CHANNEL_NAMES, 5) + items('item', RSS_NAMES) + writer.odd(['', '<title>after</title>'], 1);
    const atom = random() < 0.5 ? 'xmlns:atom="http://www.w3.org/2005/Atom"' : '';
    const channel = `<channel>${inside}${writer.space()}</channel>`;
    return `${prolog}<rss version="2.0" ${atom} ${declared}>${channel}${writer.space()}</rss>${writer.space()}`;
  }
  const xmlns = writer.odd(['http://www.w3.org/2005/Atom', 'http://purl.org/atom/ns#', 'https://x.example/'], 1);
  const inside = writer.fields(FEED_NAMES, 5) + items('entry', ATOM_NAMES);
  return `${prolog}<feed xmlns="${xmlns}" ${declared}>${inside}${writer.space()}</feed>${writer.space()}`;
}

class Writer {
  constructor(
    private readonly random: Random,
    /** How often something other than the first choices is taken. */
    private readonly oddness: number,
  ) {}

  get isOdd(): boolean {
    return this.random() < this.oddness;
  }

  item(tag: string, kinds: Names): string {
    const attributes = this.isOdd ? ` ${this.one(ATTRIBUTES)}` : '';
    const title = this.isOdd ? '' : '<title>A title</title>';
    return `<${tag}${attributes}>${title}${this.fields(kinds, 8)}${this.space()}</${tag}>`;
  }

  fields({ usual, other }: Names, most: number): string {
    const count = 1 + Math.floor(this.random() * most);
    const chosen = Array.from({ length: count }, () => this.one(this.isOdd ? other : usual));
    const once = new Set(chosen.filter((name) => this.isOdd || name !== 'title'));
    return [...once].map((name) => this.space() + this.element(name, 0)).join('');
  }

  space(): string {
    return this.odd(SPACES, 6);
  }

  /** Returns one of the first choices, or occasionally any. */
  odd<T>(choices: T[], usual: number): T {
    return this.one(this.isOdd ? choices : choices.slice(0, usual));
  }

  private element(name: string, depth: number): string {
    const isAllAttributes = /(?:^|:)link$|thumbnail|enclosure|itunes:image|starRating/.test(name) && name !== 'link';
    const count = Math.floor(this.random() ** 2 * 4) + (isAllAttributes && !this.isOdd ? 1 : 0);
    const attributes = Array.from({ length: count }, () => this.attributeFor(name));
    const tag = [name, ...new Set(attributes)].join(' ');
    const inside = this.inside(name, depth);
    return inside === '' && this.random() < 0.7 ? `<${tag}/>` : `<${tag}>${inside}</${name}>`;
  }

  private attributeFor(name: string): string {
    if (this.isOdd) return this.one(ATTRIBUTES);
    if (/:link$|image$/.test(name)) return this.one(ATTRIBUTES.slice(3, 12));
    if (/guid/i.test(name)) return this.one(ATTRIBUTES.slice(0, 2));
    if (/content|thumbnail|enclosure/.test(name)) return this.one(ATTRIBUTES.slice(15, 19));
    return this.one(ATTRIBUTES.slice(12, 14));
  }

  private inside(name: string, depth: number): string {
    if (depth < 3 && /^(?:media|m):(?:content|group)$|source|contributor|image$|owner|unknown$/.test(name))
      return this.children(name, depth);
    if (/^(?:author|atom:author|contributor)$/.test(name) && this.random() < 0.6)
      return `<name>${this.text()}</name>${this.random() < 0.5 ? `<email>${this.text()}</email>` : ''}`;
    if (/:link$|enclosure|thumbnail|image$|starRating/.test(name) && !this.isOdd) return '';
    if (/comments|total|ttl|updateFrequency/.test(name) && !this.isOdd) return String(Math.floor(this.random() * 99));
    if (name === 'skipHours') return '<hour>3</hour>';
    return this.text();
  }

  private children(name: string, depth: number): string {
    const names = /:/.test(name)
      ? [
          'media:content',
          'media:thumbnail',
          'media:title',
          'media:description',
          'media:community',
          'media:starRating',
          'x:unknown',
        ]
      : ['author', 'title', 'url', 'x:unknown', 'item', 'length'];
    const count = Math.floor(this.random() * 3);
    return Array.from({ length: count }, () => this.element(this.odd(names, 4), depth + 1)).join(this.space());
  }

  private text(): string {
    return this.isOdd || this.random() < 0.01 ? this.one(TEXTS) : this.one(USUAL_TEXTS);
  }

  private one<T>(choices: T[]): T {
    return choices[Math.floor(this.random() * choices.length)] as T;
  }
}
