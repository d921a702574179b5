import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';
import { describe, expect, it } from 'vitest';
import { corpusFiles, hasCorpus } from '../../../test/fetching/corpus-files.js';
import { HOSTILE_HTML } from '../../../test/hostile-html.js';
import { MadeHtml } from '../../../test/posts/made-html.js';
import { seededRandom } from '../../../test/program/seeded-random.js';
import { FetchFailure } from '../../fetching/fetcher.js';
import { readFeed } from '../../fetching/parsing/parse-feed.js';
import { treeHtml } from '../safe-html.js';
import { NAMED } from './plain-entities.js';
import { plainHtml } from './plain-html.js';

const BASE = 'https://example.org/blog/post';

const ALLOWED_TAGS = new Set(
  'a abbr address article aside b bdi bdo blockquote br center cite code dd del dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol p picture pre q s samp section small span strike strong sub sup time tt u ul var wbr'.split(
    ' ',
  ),
);
const ALLOWED_ATTRIBUTES = new Set(
  'alt cite class datetime dir height href lang loading rel src start title type value width'.split(' '),
);
const ADDRESSES: Record<string, RegExp> = {
  href: /^(?:https?:\/\/|mailto:|tel:)/,
  src: /^https?:\/\//,
  cite: /^https?:\/\//,
};

type Node = DefaultTreeAdapterMap['node'];

/** Returns everything that a browser must not meet. It knows nothing of the schema that the result is made with. */
function faultsIn(node: Node): string[] {
  if (node.nodeName === '#text') return [];
  if (node.nodeName === '#document-fragment' && 'childNodes' in node) return node.childNodes.flatMap(faultsIn);
  if (!('tagName' in node)) return [node.nodeName];
  const odd = node.attrs.filter(
    ({ name, value }) => !ALLOWED_ATTRIBUTES.has(name) || (ADDRESSES[name] && !ADDRESSES[name].test(value)),
  );
  const tags = ALLOWED_TAGS.has(node.tagName) ? [] : [node.tagName];
  return [...tags, ...odd.map(({ name, value }) => `${name}=${value}`), ...node.childNodes.flatMap(faultsIn)];
}

/** Returns whether the HTML was plain, after comparing the result with that of the tree. */
function compare(html: string, base: string | undefined): boolean {
  const made = plainHtml(html, base);
  if (!made) return false;
  const expected = treeHtml(html, base);
  if (made.html !== expected.html || made.text !== expected.text) expect(made, html).toEqual(expected);
  const faults = faultsIn(parseFragment(made.html));
  if (faults.length) expect(faults, html).toEqual([]);
  return true;
}

describe('plain HTML', () => {
  it.each([
    '<p>One.</p><p>Two, with <em>stress</em> and a <a href="https://example.org/a-b/c_d.html?page=4">link</a>.</p>',
    ' <h2>Heading</h2>\n<p>Line<br>break<br/>and<br />more</p>\n',
    '<p>ünï © “quoted” 日本語 🙂 a > b</p>',
    'Before <p>in</p> after',
    '<p></p><p> </p>',
    '<P CLASS="x" onclick="a()">One &amp; two&nbsp;&#8211; <SPAN style=color:red>three</SPAN></P>\r\n<p>Four</p>',
    '<ul class="x"><li>one</li>\n<li><p>two</p></li></ul><ol start="03"><li value=4>three</li></ol>',
    '<dl><dt>a</dt><dd>b</dd></dl><blockquote cite="/c"><div><p>d</p></div></blockquote><hr/>',
    '<pre>\n\n  a &lt; b\n</pre><pre><code class="language-ts x">c</code></pre><code class="x">d</code>',
    '<figure><img src="a.png" alt="A &quot;cat&quot;" width="600" height=400><figcaption>b</figcaption></figure>',
    '<a href=\'../x?a=1&b=2\' rel="tag" title="It\'s `x`">x</a> <a rel="tag" name="y">y</a>',
    '<p>x<img src="https://spy.example/p.gif" width="1" height="1"><img style="display:none" src=a.png></p>',
    '<img src="data:image/gif;base64,R0" data-src="real.png"></img><img src="javascript:a()" alt="A cat"><img>',
    '<p><font color="red">a <b>b</b></font><nav>c</nav></p>'.replaceAll('p>', 'div>'),
    '<p><a href="javascript:alert(1)">a</a> <a href="mailto:b@c.example">b</a> <a href="//c.example#d">c</a></p>',
    '<p>a<!-- more -->b</p><!---->',
    '<picture><source srcset="a.webp" type="image/webp"><img src="a.jpg"></picture>',
    '<p>a<iframe src="//player.example/embed/1?a=1&amp;b"></iframe><iframe title="A &lt; B" src="/c" />d</p>',
    'words alone',
    'one\r\ntwo\n\n three &amp; four & five',
    '',
  ])('comes out as from a tree: %j', (html) => {
    expect(compare(html, BASE)).toBe(true);
    compare(html, undefined);
  });

  it.each([
    ['a paragraph in a paragraph', '<p>a<p>b</p></p>'],
    ['a heading in a heading', '<h1>a<h2>b</h2></h1>'],
    ['a list item in a list item', '<ul><li>a<div><li>b</li></div></li></ul>'],
    ['a list in a paragraph', '<p>a<ul><li>b</li></ul></p>'],
    ['a tag that is not closed', '<p>a'],
    ['an end tag alone', 'a</p>b</img>'],
    ['a line break as an end tag', '<p>a</br></p>'],
    ['a paragraph that is closed at once', '<p/>a'],
    ['tags that overlap', '<p><b>a<i>b</b>c</i></p>'],
    ['a link in a link', '<p><a href="https://a.example/">a<a href="https://b.example/">b</a></a></p>'],
    ['an element that is nested in its like', '<b>a<b>b</b></b>'],
    ['an unknown element', '<p><x>a</x></p>'],
    ['a script', '<p>a</p><script>alert(1)</script>'],
    ['a table', '<table><tr><td>a</td></tr></table>'],
    ['a comment with tags', '<p>a<!-- <b> --></p>'],
    ['a comment that ends at once', '<p>a<!--->b--></p>'],
    ['a comment that is not ended by hyphens alone', '<p>a<!-- b --!></p>'],
    ['the fallback of an iframe', '<p><iframe src="https://ads.example/1">AT&</iframe>amp;T</p>'],
    ['a source with an address', '<picture><source src="a.webp"></picture>'],
    ['a section', '<![CDATA[<p>one</p>]]>'],
    ['an unusual reference', '<p>a &copy b &notin; &#133; &#0;</p>'],
    ['a reference without its end', '<a href="?a&copy">x</a>'],
    ['attributes without space between them', '<a title="x"href="/">x</a>'],
    ['a tag in an attribute', '<p title="<svg:g>">x</p>'],
    ['names that a tree takes for others', '<img data--src="a.png"><code classname="language-x">x</code>'],
    ['an address of no host', '<p><a href="http://1.2.3.4.5/">a</a></p>'],
    ['a null character', '<p>a\0</p>'],
    ['a byte order mark', '\ufeff<p>a</p>'],
    ['a tag that does not end', '<p>a</p'],
    ['a sign that looks like a tag', '<p>a < b</p>'],
  ])('is not %s', (_, html) => {
    expect(plainHtml(html, BASE)).toBeUndefined();
  });

  it.each([...NAMED])('may refer to &%s; for %j', (name, character) => {
    expect(compare(`<p title="&${name};">&${name};</p>&${name};`, BASE)).toBe(true);
    expect(plainHtml(`<p>x&${name};y</p>`)?.text.replace(' ', '\u00a0')).toBe(`x${character}y`);
  });

  it('is neither deep nor large, and has no long base', () => {
    expect(plainHtml(`${'<div>'.repeat(100)}a${'</div>'.repeat(100)}`)).toBeUndefined();
    expect(plainHtml(`<p>${'a '.repeat(30_000)}</p>`)).toBeUndefined();
    expect(plainHtml('<a href="x">a</a>', `https://example.org/${'a'.repeat(300)}`)).toBeUndefined();
    expect(plainHtml('<img src=x>'.repeat(4_000), `https://example.org/${"'".repeat(170)}/`)).toBeUndefined();
  });

  it('comes out as from a tree, and safe, however it is nested or damaged', { timeout: 120_000 }, () => {
    const bases = [undefined, BASE, 'http://[', 'javascript:alert(1)', 'https://b.example/?q#f'];
    const plain = { nested: 0, damaged: 0 };
    for (let seed = 0; seed < 20_000; seed++) {
      const made = new MadeHtml(seededRandom(seed));
      const html = made.nested(1 + (seed % 5));
      const base = bases[seed % bases.length];
      if (compare(html, base)) plain.nested += 1;
      if (compare(made.damaged(html), base)) plain.damaged += 1;
    }
    expect(plain.nested).toBeGreaterThan(5_000);
    expect(plain.damaged).toBeGreaterThan(1_500);
  });

  it('may still be hostile', () => {
    const plain = HOSTILE_HTML.filter((html) => compare(html, BASE));
    expect(plain.length).toBeGreaterThan(10);
    expect(plain.length).toBeLessThan(HOSTILE_HTML.length / 2);
  });

  it.each(['<a href=x>y</a>', '<br>', '<p a', '<p a=" ', '&amp;', '&', '<p ', '\n \n', '<b x=1>', '<p>x</p>\r'])(
    'is read in one pass, however often it has %j',
    (piece) => {
      compare(piece.repeat(50_000 / piece.length), BASE);
    },
  );
});

describe.skipIf(!hasCorpus)('the contents of the corpus', () => {
  it('come out as from a tree, damaged or not, and most need none', { timeout: 120_000 }, async () => {
    const contents = (await corpusFiles()).flatMap(({ document }) => contentsOf(document));
    expect(contents.length).toBeGreaterThan(2_000);
    const plain = contents.filter(({ html, base }) => compare(html, base));
    expect(plain.length / contents.length).toBeGreaterThan(0.9);
    for (const [seed, { html, base }] of contents.entries())
      compare(new MadeHtml(seededRandom(seed)).damaged(html), base);
  });
});

function contentsOf(document: Parameters<typeof readFeed>[0]): { html: string; base: string }[] {
  try {
    return readFeed(document).items.flatMap(({ content, contentBase }) =>
      content ? [{ html: content, base: contentBase }] : [],
    );
  } catch (error) {
    if (error instanceof FetchFailure) return [];
    throw error;
  }
}
