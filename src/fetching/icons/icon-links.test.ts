import { describe, expect, it } from 'vitest';
import { iconLinks } from './icon-links.js';

const PAGE = 'https://site.example/blog/';
const links = (head: string) => iconLinks(`<!doctype html><html><head>${head}</head><body></body></html>`, PAGE);

describe('the icons of a page', () => {
  it('are resolved against the page, or its base', () => {
    expect(links('<link rel=icon href="a.png">')).toEqual(['https://site.example/blog/a.png']);
    expect(links('<base href="//cdn.example/x/"><LINK REL="Shortcut ICON" HREF=" a.png ">')).toEqual([
      'https://cdn.example/x/a.png',
    ]);
    expect(links('<link rel=icon href="data:image/png;base64,AA==">')).toEqual(['data:image/png;base64,AA==']);
  });

  it('come in the order of their use: the smallest that is large enough first, SVG and huge ones last', () => {
    const wanted = ['32.png', '192.png', 'any.ico', 'touch.png', '16.png', 'a.svg', '512.png'];
    const given = [
      '<link rel="icon" href="/a.svg" type="image/svg+xml" sizes="any">',
      '<link rel="icon" href="/512.png" sizes="512x512">',
      '<link rel="apple-touch-icon" href="/touch.png" sizes="180x180">',
      '<link rel="icon" href="/16.png" sizes="16x16">',
      '<link rel="icon" href="/any.ico">',
      '<link rel="icon" href="/192.png" sizes="192X192">',
      '<link rel="icon" href="/32.png" sizes="16x16 32x32 48x48">',
      '<link rel="icon" href="/32.png" sizes="32x32">',
    ];
    expect(links(given.join('\n'))).toEqual(wanted.map((name) => `https://site.example/${name}`));
  });

  it('are not other links, nor what scripts, styles and comments contain', () => {
    const none = [
      '<link rel="mask-icon" href="/a.svg">',
      '<link rel="stylesheet" href="/icon.css">',
      '<link rel="icon">',
      '<link rel="icon" href="javascript:alert(1)">',
      '<link rel="icon" href="ftp://site.example/a.png">',
      '<!-- <link rel="icon" href="/a.png"> -->',
      '<script>"<link rel=icon href=/b.png>"</script>',
      '<style>/* <link rel=icon href=/c.png> */</style>',
      '<title><link rel=icon href=/d.png></title>',
      '</head><body><link rel="icon" href="/late.png">',
    ];
    expect(links(none.join('\n'))).toEqual([]);
  });

  it('are found on damaged pages', () => {
    expect(iconLinks('<link rel=icon href=/a.png', PAGE)).toEqual([]);
    expect(iconLinks('<link rel=icon href=/a.png><title>never closed', PAGE)).toEqual(['https://site.example/a.png']);
    expect(iconLinks(`${'<b>'.repeat(90_000)}<link rel=icon href=/a.png>`, PAGE)).toEqual([
      'https://site.example/a.png',
    ]);
  });
});
