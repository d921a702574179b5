import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../test/program/seeded-random.js';
import { plainHtml } from './plain-html.js';
import { treeHtml } from './safe-html.js';

describe('plain HTML', () => {
  it.each([
    '<p>One.</p><p>Two, with <em>stress</em> and a <a href="https://example.org/a-b/c_d.html?page=4">link</a>.</p>',
    ' <h2>Heading</h2>\n<p>Line<br>break<br/>and<br />more</p>\n',
    '<p>ünï © “quoted” 日本語 🙂 a > b</p>',
    'Before <p>in</p> after',
    '<p></p><p> </p>',
  ])('comes out as from a tree: %s', (html) => {
    expect(plainHtml(html)).toEqual(treeHtml(html));
  });

  it.each([
    ['an attribute', '<p class="x">a</p>'],
    ['an entity', '<p>a &amp; b</p>'],
    ['a paragraph in a paragraph', '<p>a<p>b</p></p>'],
    ['a tag that is not closed', '<p>a'],
    ['tags that overlap', '<p><b>a<i>b</b>c</i></p>'],
    ['a link in a link', '<p><a href="https://a.example/">a<a href="https://b.example/">b</a></a></p>'],
    ['an address that a browser spells otherwise', '<p><a href="https://a.example/x/../y">a</a></p>'],
    ['an address of no host', '<p><a href="http://1.2.3.4.5/">a</a></p>'],
    ['an address beyond all numbers', '<p><a href="http://10.0.0.300/">a</a></p>'],
    ['an address that ends in a number', '<p><a href="https://foo.123/">a</a></p>'],
    ['another protocol', '<p><a href="javascript:alert(1)">a</a></p>'],
    ['an unknown element', '<p><x>a</x></p>'],
    ['a script', '<p>a</p><script>alert(1)</script>'],
    ['capitals', '<P>a</P>'],
    ['a comment', '<p>a<!-- b --></p>'],
    ['words alone', 'a b'],
    ['carriage returns', '<p>a\r\nb</p>'],
  ])('is not %s', (_, html) => {
    expect(plainHtml(html)).toBeUndefined();
  });

  it('comes out as from a tree, whatever it is put together from', () => {
    const pieces = [
      '<p>',
      '</p>',
      '<em>',
      '</em>',
      '<b>',
      '</b>',
      '<h3>',
      '</h3>',
      '<br>',
      '<br />',
      '</a>',
      '<code>',
      '</code>',
      'word ',
      ' ',
      '\n',
      '\t',
      'x>y',
      '"',
      "'",
      '\u00a0',
      '\u000b',
      '=',
      '<',
      '&lt;',
      '<i>',
      '</i>',
      '<div>',
      '<a href="https://a.example">',
      '<a href="https://a.example/b">',
      '<a href="http://A.example/">',
      '<a href="http://1.2.3.4.5/">',
      '<a href="http://10.0.0.300/">',
      '<a href="https://foo.123/">',
    ];
    const random = seededRandom(7);
    let plain = 0;
    for (let trial = 0; trial < 30_000; trial++) {
      const length = 1 + Math.floor(random() * 8);
      const html = Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join('');
      const inner = trial % 2 ? html : `<p>${html}</p>`;
      const made = plainHtml(inner);
      if (!made) continue;
      plain += 1;
      expect(made, inner).toEqual(treeHtml(inner));
    }
    expect(plain).toBeGreaterThan(500);
  });
});
