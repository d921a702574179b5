import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parseSitemap, sitemapText } from './sitemap.js';

const page = (url: string) => `<url><loc>${url}</loc><lastmod>2024-01-01</lastmod></url>`;

describe('a sitemap', () => {
  it('names pages', () => {
    const text = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
      ${page('https://acme.de/')}${page('\n https://acme.de/?a=1&amp;b=2 \n')}${page('<![CDATA[https://acme.de/c]]>')}
      <image:image><image:loc>https://acme.de/x.png</image:loc></image:image></urlset>`;
    expect(parseSitemap(text)).toEqual({
      isIndex: false,
      locations: ['https://acme.de/', 'https://acme.de/?a=1&b=2', 'https://acme.de/c', 'https://acme.de/x.png'],
    });
  });

  it('may be an index of others', () => {
    const text = '<sitemapindex><sitemap><loc>https://acme.de/pages.xml</loc></sitemap></sitemapindex>';
    expect(parseSitemap(text)).toEqual({ isIndex: true, locations: ['https://acme.de/pages.xml'] });
  });

  it.each(['', '<html><body>Not found', '\u0000\u0001', '<loc>', '{"urlset": []}'])('is not %j', (text) => {
    expect(parseSitemap(text)).toEqual({ isIndex: false, locations: [] });
  });

  it('is not read to its end if it has none', () => {
    expect(parseSitemap(page('https://acme.de/').repeat(10_000)).locations).toHaveLength(5_000);
  });
});

describe('the file of a sitemap', () => {
  it('may be compressed', async () => {
    expect(await sitemapText(gzipSync('<urlset/>'), 'application/octet-stream')).toBe('<urlset/>');
    expect(await sitemapText(Buffer.from('<urlset/>'), 'text/xml')).toBe('<urlset/>');
  });

  it('is left out where it is broken or a bomb', async () => {
    expect(await sitemapText(gzipSync('<urlset/>').subarray(0, 15), undefined)).toBeUndefined();
    expect(await sitemapText(Buffer.from([0x1f, 0x8b, 0, 0]), undefined)).toBeUndefined();
    expect(await sitemapText(gzipSync(Buffer.alloc(20_000_000)), undefined)).toBeUndefined();
  });
});
