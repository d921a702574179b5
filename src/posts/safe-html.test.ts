import { fromHtml } from 'hast-util-from-html';
import { describe, expect, it } from 'vitest';
import { HOSTILE_HTML } from '../../test/hostile-html.js';
import { safeHtml } from './safe-html.js';

const base = 'https://example.org/blog/post';
const made = (html: string, from: string | undefined = base) => safeHtml(html, { base: from }).html;

const FORBIDDEN_TAGS =
  /^(script|style|iframe|frame|object|embed|svg|math|template|noscript|form|input|button|select|textarea|link|meta|base|title|plaintext|xmp|map|area)$/;
const FORBIDDEN_ATTRIBUTES =
  /^(on|style$|id$|name$|srcDoc|srcSet|ping|formAction|action|background|is$|slot|useMap|target|data)/;
const ADDRESSES = ['href', 'src', 'poster', 'cite'];

type Tree = ReturnType<typeof fromHtml>['children'];

/** Returns the problems of HTML as a browser would parse it. */
const faultsOf = (html: string) => faults(fromHtml(html, { fragment: true }).children);

function faults(children: Tree): string[] {
  return children.flatMap((node) => {
    if (node.type === 'comment') return ['comment'];
    if (node.type !== 'element') return [];
    const attributes = Object.keys(node.properties).filter((name) => FORBIDDEN_ATTRIBUTES.test(name));
    const addresses = ADDRESSES.map((name) => node.properties[name]).filter((value) => value !== undefined);
    const odd = addresses.filter((value) => !/^(https?:\/\/|mailto:|tel:)/.test(String(value)));
    const tags = FORBIDDEN_TAGS.test(node.tagName) ? [node.tagName] : [];
    return [...tags, ...attributes, ...odd.map(String), ...faults(node.children as Tree)];
  });
}

describe('safeHtml', () => {
  it('is tested with what these tests know for poison', () => {
    expect(HOSTILE_HTML.filter((html) => faultsOf(html).length).length).toBeGreaterThan(70);
  });

  it.each(HOSTILE_HTML)('takes the poison out of %j', (html) => {
    expect(faultsOf(made(html))).toEqual([]);
    expect(faultsOf(made(made(html)))).toEqual([]);
  });

  it('is safe wherever one attack is put into another', () => {
    for (const outer of HOSTILE_HTML) {
      const html = HOSTILE_HTML.map((inner) => outer.replace('alert(1)', `alert(1)">${inner}`)).join('\n');
      expect(faultsOf(made(html))).toEqual([]);
    }
  });

  it('makes addresses whole', () => {
    expect(made('<a href="../x?a=1&b">x</a>')).toBe(
      '<a href="https://example.org/x?a=1&#x26;b" rel="noopener noreferrer nofollow">x</a>',
    );
    expect(made('<a href="#note">x</a>')).toContain('href="https://example.org/blog/post#note"');
    expect(made('<img src="//cdn.example/a.png">')).toContain('src="https://cdn.example/a.png"');
    expect(made('<a href="//cdn.example/a">x</a>', undefined)).toContain('https://cdn.example/a');
    expect(made('<a href="mailto:a@example.org">x</a>')).toContain('href="mailto:a@example.org"');
  });

  it('takes away addresses that lead nowhere', () => {
    expect(safeHtml('<a href="/x">x</a>').html).toBe('<a>x</a>');
    expect(made('<a href="/x">x</a>', 'javascript:alert(1)')).toBe('<a>x</a>');
    expect(made('<a href="http://[">x</a>')).toBe('<a>x</a>');
    expect(made('<p><img src=""></p>')).toBe('<p></p>');
  });

  it('keeps images with their size and their words, and finds those that wait for a script', () => {
    expect(made('<img src="a.png" srcset="b.png 2x" alt="A cat" width="600" height=400 class=x>')).toBe(
      '<img src="https://example.org/blog/a.png" alt="A cat" width="600" height="400" loading="lazy">',
    );
    expect(
      made('<img src="data:image/gif;base64,R0" data-src="real.png"><noscript><img src="real.png"></noscript>'),
    ).toBe('<img src="https://example.org/blog/real.png" loading="lazy">');
    expect(made('<p><noscript><img src="real.png"></noscript></p>')).toContain('real.png');
    expect(made('<picture><source srcset="a.webp"><img src="a.jpg"></picture>')).toBe(
      '<picture><img src="https://example.org/blog/a.jpg" loading="lazy"></picture>',
    );
  });

  it.each([
    '<img src="https://spy.example/p.gif" width="1" height="1">',
    '<img src="https://spy.example/p.gif" width=0 height=0>',
    '<img src="https://spy.example/p.gif" style="width: 1px; height: 1px">',
    '<img src="https://spy.example/p.gif" style="display:none">',
  ])('drops the tracking pixel %s', (html) => {
    expect(made(`<p>x${html}</p>`)).toBe('<p>x</p>');
  });

  it('keeps tables, code, figures, details and players', () => {
    const html =
      '<table><thead><tr><th scope="col" colspan="2">a</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>' +
      '<pre><code class="language-ts">a &#x3C; b</code></pre>' +
      '<figure><figcaption>c</figcaption></figure><details open><summary>s</summary>t</details>' +
      '<video src="https://example.org/a.mp4" controls preload="none"></video>' +
      '<audio controls preload="none"><source src="https://example.org/a.mp3" type="audio/mpeg"></audio>';
    expect(made(html)).toBe(html);
  });

  it('puts a link in the place of an embedded player', () => {
    expect(made('<iframe src="//www.youtube.com/embed/x" title="The film"></iframe>')).toBe(
      '<a href="https://www.youtube.com/embed/x" rel="noopener noreferrer nofollow">The film</a>',
    );
    for (const address of [
      'https://player.example/1',
      'https://bandcamp.example/EmbeddedPlayer/album=1',
      'https://site.example/video_ext.php',
      'https://site.example/videos/7/',
    ]) {
      expect(made(`<iframe src=${address}></iframe>`)).toContain(`>${address}</a>`);
    }
  });

  it.each([
    'https://ads.example/1?ref=playground',
    'https://ads.example/playground/1',
    'https://display.ads.example/tracking',
  ])('takes %s for no player', (address) => {
    expect(made(`<p>a<iframe src="${address}"></iframe></p>`)).toBe('<p>a</p>');
  });

  it('keeps of other embedded pages the words that stand in for them', () => {
    expect(made('safe <iframe src="https://ads.example/1"> <b>words</b></iframe> on')).toBe('safe  <b>words</b> on');
    expect(made('safe<iframe src="https://ads.example/1" /> and <i>sound</i>')).toBe('safe and <i>sound</i>');
    expect(made('<p>a<iframe title="x > y" src="https://player.example/1"></iframe>b')).toMatch(
      /^<p>a<a .*>x > y<\/a>b<\/p>$/,
    );
  });

  it('loses no words to elements that XHTML closes in their first tag', () => {
    for (const tag of ['script src="x"', 'style', 'textarea', 'title', 'noframes', 'xmp']) {
      expect(made(`a <${tag} /><b>bold</b>`)).toBe('a <b>bold</b>');
      expect(made(`a <${tag}/><b>bold</b>`)).toBe('a <b>bold</b>');
    }
    expect(made('a <script src="/x?v=1"/><script async/><b>bold</b>')).toBe('a <b>bold</b>');
    expect(made('a <title-x/><b>bold</b>')).toBe('a <b>bold</b>');
  });

  it.each(['src=http://x/', 'src= x/', 'src=/x?a=/', 'async src=x/'])('shows no code of <script %s>', (attributes) => {
    expect(made(`<p>a</p><script ${attributes}>code</script><p>b</p>`)).toBe('<p>a</p><p>b</p>');
  });

  it('takes for words what only begins like a declaration, and unwraps sections', () => {
    expect(made(`<!' <a href="/x">x</a>`)).toMatch(/^&#x3C;!' <a /);
    expect(made('<![CDATA[<p>one</p>]]>')).toBe('<p>one</p>');
    expect(made('<![CDATA[<b>one</b>]]&gt;')).toBe('&#x3C;![CDATA[<b>one</b>]]>');
  });

  it('tells formulas, drawings and images without an address in words', () => {
    expect(made('<p><math><mi>a</mi><mo>+</mo><mi>b</mi></math></p>')).toBe('<p>a+b</p>');
    expect(made('<p><math alttext="a plus b"><mi>a</mi></math></p>')).toBe('<p>a plus b</p>');
    expect(made('<p><svg><title>A cat</title><circle r="1"/><script>alert(1)</script></svg></p>')).toBe('<p>A cat</p>');
    expect(made('<p><img alt="A cat" src="javascript:alert(1)"></p>')).toBe('<p><img alt="A cat"></p>');
  });

  it('shows a drawing without words by its shapes, and nothing else of it', () => {
    const shape = '<circle cx="5" cy="5" r="4" fill="#f00" stroke-width="1px"></circle>';
    expect(made(`<svg width="9px" height="9" viewBox="0 0 9 9" onload="a()">${shape}</svg>`)).toBe(
      `<svg width="9px" height="9" viewBox="0 0 9 9">${shape}</svg>`,
    );
    expect(made('<svg:svg width="9" height="9"><svg:rect x="1"/></svg:svg>')).toContain('<rect x="1"></rect></svg>');
    for (const hostile of [
      '<a xlink:href="javascript:alert(1)"><g onclick="a()"><rect x="1"/></g></a>',
      '<script>a()</script><g><rect x="1"/></g><style>*{}</style>',
      '<foreignObject><img src=x onerror=a()><p>text</p></foreignObject><g><rect x="1" fill="url(#a)"/></g>',
      '<use href="#x"/><image href="https://spy.example/"/><animate onbegin="a()"/><g style="x"><rect x="1"/></g>text',
    ]) {
      expect(made(`<svg width="9" height="9">${hostile}</svg>`)).toMatch(
        /^<svg width="9" height="9"><g><rect x="1"><\/rect><\/g><\/svg>(<p>text<\/p>)?$|^<svg width="9" height="9"><\/svg>/,
      );
    }
    expect(made('<p>a<svg><circle r="1"/></svg><circle r="1"></circle></p>')).toBe('<p>a</p>');
  });

  it('keeps the lines of plain text', () => {
    expect(made('one\ntwo\r\n\r\n  three & 1 < 2 &amp; 3')).toBe(
      '<p>one<br>two</p>\n<p>three &amp; 1 &lt; 2 &amp; 3</p>',
    );
    expect(made('just words')).toBe('<p>just words</p>');
    expect(made('')).toBe('');
  });

  it('gives the words that can be read', () => {
    const html =
      '<h1>Ti<b>tle</b></h1><p>a&nbsp;b<br>c</p><script>no</script><style>no</style><img src=a.png alt="a cat"><td>d';
    expect(safeHtml(html, { base }).text).toBe('Title a b c a cat d');
  });

  it('shows as text what is nested too deep', () => {
    const html = `${'<div><b>'.repeat(20_000)}deep &lt;b&gt; &amp; dark<script>alert(1)</script><p>two`;
    expect(safeHtml(html)).toEqual({ html: '<p>deep &lt;b&gt; &amp; dark two</p>', text: 'deep <b> & dark two' });
  });

  it('shows as text what is too large, and not all of it', () => {
    const { html, text } = safeHtml(`<p onclick=x>${'word <b>'.repeat(200_000)}`);
    expect(html).toMatch(/^<p>word\s+word/);
    expect(text.length).toBeLessThanOrEqual(100_000);
  });

  it('does not grow a small text into a huge one', () => {
    const long = `https://example.org/${'a'.repeat(3_900)}/`;
    expect(made('<a href=x>y</a>'.repeat(50_000), long).length).toBeLessThan(500_000);
  });

  it.each(['<', '<a', '<!--', '&', '&#', '</', '<script>', '<![CDATA[', '\n \n', '<p><b x=1>'])(
    'bears a great many of %j',
    (piece) => {
      const html = piece.repeat(1_100_000 / piece.length);
      expect(faultsOf(made(html))).toEqual([]);
    },
  );
});
