import { describe, expect, it } from 'vitest';
import { feedLinks } from './feed-links.js';

const PAGE = 'https://example.org/blog/post.html';
const announced = (html: string) => feedLinks(html, PAGE).announced;
const urls = (html: string) => announced(html).map(({ url }) => url);
const RSS = 'type="application/rss+xml"';

describe('what a page calls its feeds', () => {
  it('comes in the order of the page, with its titles', () => {
    const html = `<head><link rel="alternate" ${RSS} title="Posts &amp; more" href="/rss?a=1&amp;b=2">
      <link rel="alternate" type="application/atom+xml" href="atom.xml">
      <link rel="alternate" type="application/feed+json" href="//cdn.example/feed.json" title=" "></head>`;
    expect(announced(html)).toEqual([
      { url: 'https://example.org/rss?a=1&b=2', title: 'Posts & more' },
      { url: 'https://example.org/blog/atom.xml', title: null },
      { url: 'https://cdn.example/feed.json', title: null },
    ]);
  });

  it('has comment feeds last', () => {
    const html = `<link rel="alternate" ${RSS} title="Blog » Comments Feed" href="/comments/feed/">
      <link rel="alternate" ${RSS} title="Blog » Feed" href="/feed/">`;
    expect(urls(html)).toEqual(['https://example.org/feed/', 'https://example.org/comments/feed/']);
  });

  it.each([
    ['single quotes', `<link rel='alternate' type='application/rss+xml' href='/f'>`],
    ['no quotes', '<link rel=alternate type=application/rss+xml href=/f>'],
    ['another order and upper case', '<LINK HREF="/f" TYPE="Application/RSS+XML; charset=utf-8" REL="Home ALTERNATE">'],
    ['line breaks', `<link\n  rel="alternate"\n  ${RSS}\n  href=" /f "\n/>`],
    ['a link in the body', `<body><p>x<link rel="alternate" ${RSS} href="/f"></body>`],
    ['a base', `<base href="/"><link rel="alternate" ${RSS} href="f">`],
    ['the feed scheme', `<link rel="alternate" ${RSS} href="feed:https://example.org/f#x">`],
    ['the same one twice', `<link rel="alternate" ${RSS} href="/f"><link rel="alternate" ${RSS} href="/f">`],
  ])('is understood with %s', (_, html) => {
    expect(urls(html)).toEqual(['https://example.org/f']);
  });

  it.each([
    ['another relation', `<link rel="stylesheet" ${RSS} href="/f">`],
    ['an alternate stylesheet', `<link rel="alternate stylesheet" ${RSS} href="/f">`],
    ['another type', '<link rel="alternate" type="text/html" hreflang="de" href="/f">'],
    ['a comment', `<!-- <link rel="alternate" ${RSS} href="/f"> -->`],
    ['a script', `<script>var x = '<link rel="alternate" ${RSS} href="/f">';</script>`],
    ['no address', `<link rel="alternate" ${RSS}>`],
    ['an address that is none', `<link rel="alternate" ${RSS} href="javascript:alert(1)">`],
  ])('is not %s', (_, html) => {
    expect(urls(html)).toEqual([]);
  });

  it('is looked for in the first megabyte only', () => {
    expect(urls(`${' '.repeat(1_000_000)}<link rel="alternate" ${RSS} href="/f">`)).toEqual([]);
  });

  it('is found in the head of a page that is nested beyond reading', () => {
    const html = `<head><link rel="alternate" ${RSS} href="/f"></head><body>${'<div>'.repeat(50_000)}`;
    expect(urls(html)).toEqual(['https://example.org/f']);
  });
});

it('guesses from types that are used for other things too, and from links that look like feeds', () => {
  const html = `<link rel="alternate" type="application/json" href="/wp-json/x">
    <a href="/about">About</a> <a href="/feed/comments">c</a> <a href="/news.rss">n</a>
    <a href="https://feeds.example/ours">f</a> <a href="https://other.example/feed">o</a> <a>none</a>`;
  expect(feedLinks(html, PAGE)).toEqual({
    announced: [],
    guesses: [
      'https://example.org/wp-json/x',
      'https://example.org/news.rss',
      'https://feeds.example/ours',
      'https://example.org/feed/comments',
    ],
  });
});
