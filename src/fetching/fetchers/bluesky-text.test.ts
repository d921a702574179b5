import { describe, expect, it } from 'vitest';
import { Facet, richText } from './bluesky-text.js';

const LINK = 'app.bsky.richtext.facet#link';

/** Returns a facet over the first `part` of the text, with offsets in bytes. */
function over(text: string, part: string, feature: Record<string, unknown>) {
  const byteStart = Buffer.byteLength(text.slice(0, text.indexOf(part)));
  return at(byteStart, byteStart + Buffer.byteLength(part), feature);
}

function at(byteStart: number, byteEnd: number, feature: Record<string, unknown>) {
  return Facet.parse({ index: { byteStart, byteEnd }, features: [feature] });
}

describe('the text of a post', () => {
  it('is paragraphs and lines', () => {
    expect(richText('one\ntwo\n \n\nthree', [])).toBe('<p>one<br>two</p><p>three</p>');
  });

  it('shows what looks like HTML', () => {
    expect(richText('<script>1 & 2</script>', [])).toBe('<p>&lt;script&gt;1 &amp; 2&lt;/script&gt;</p>');
  });

  it('may be empty', () => {
    expect(richText('', [])).toBe('');
  });
});

describe('a facet', () => {
  it('is found by bytes, behind letters that take several', () => {
    const text = '👩‍👩‍👧 grüße an example.org!';
    const html = richText(text, [over(text, 'example.org', { $type: LINK, uri: 'https://example.org/?a=1&b="2"' })]);
    expect(html).toBe('<p>👩‍👩‍👧 grüße an <a href="https://example.org/?a=1&amp;b=%222%22">example.org</a>!</p>');
  });

  it('may be a mention or a tag', () => {
    const text = 'hey @bob.example #größe';
    const html = richText(text, [
      over(text, '#größe', { $type: 'app.bsky.richtext.facet#tag', tag: 'größe' }),
      over(text, '@bob.example', { $type: 'app.bsky.richtext.facet#mention', did: 'did:plc:bob' }),
    ]);
    expect(html).toBe(
      '<p>hey <a href="https://bsky.app/profile/did%3Aplc%3Abob">@bob.example</a> ' +
        '<a href="https://bsky.app/hashtag/gr%C3%B6%C3%9Fe">#größe</a></p>',
    );
  });

  it('may be of a kind that is not known yet', () => {
    expect(richText('bold', [at(0, 4, { $type: 'app.bsky.richtext.facet#bold' })])).toBe('<p>bold</p>');
  });

  it('makes no link of a script', () => {
    expect(richText('click', [at(0, 5, { $type: LINK, uri: 'javascript:alert(1)' })])).toBe('<p>click</p>');
  });

  it('that spans lines stays one link', () => {
    expect(richText('a\n\nb', [at(0, 4, { $type: LINK, uri: 'https://example.org/' })])).toBe(
      '<p><a href="https://example.org/">a\n\nb</a></p>',
    );
  });

  it.each([
    ['begins inside of a letter', 1, 3],
    ['ends inside of a letter', 0, 1],
    ['ends after the text', 0, 99],
    ['begins before the text', -1, 2],
    ['is empty', 2, 2],
    ['is turned around', 4, 2],
  ])('that %s is passed over', (_, start, end) => {
    expect(richText('üüü', [at(start, end, { $type: LINK, uri: 'https://example.org/' })])).toBe('<p>üüü</p>');
  });

  it('that lies over another is passed over', () => {
    const feature = { $type: LINK, uri: 'https://example.org/' };
    expect(richText('abcd', [at(1, 3, feature), at(2, 4, feature)])).toBe(
      '<p>a<a href="https://example.org/">bc</a>d</p>',
    );
  });
});
