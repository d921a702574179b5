import { expect, it } from 'vitest';
import { sourceAt } from './opml-address.js';
import { readOpml } from './read-opml.js';
import { renderOpml } from './render-opml.js';

const now = new Date('2025-01-02T03:04:05Z');
const listed = (more: object = {}) => ({
  type: 'rss',
  externalId: 'https://example.org/feed?a=1&b=2',
  siteUrl: null,
  title: null,
  folder: null,
  ...more,
});

it('is read again as what was rendered, folders and sources that are no feeds included', () => {
  const text = renderOpml(
    [
      listed({ title: 'A "quoted" <b> & more' }),
      listed({
        externalId: 'https://example.org/2',
        title: 'Two',
        folder: 'News/Tech',
        siteUrl: 'https://example.org/',
      }),
      listed({ externalId: 'https://example.org/3', folder: 'News' }),
      listed({ type: 'mastodon', externalId: 'anna@social.example', title: 'Anna', folder: 'News/Tech' }),
    ],
    now,
  );
  expect(readOpml(text).map((feed) => ({ ...feed, ...sourceAt(feed.xmlUrl) }))).toMatchObject([
    { type: 'rss', externalId: 'https://example.org/feed?a=1&b=2', title: 'A "quoted" <b> & more', folder: undefined },
    { type: 'rss', externalId: 'https://example.org/2', title: 'Two', folder: 'News/Tech' },
    { type: 'mastodon', externalId: 'anna@social.example', title: 'Anna', folder: 'News/Tech' },
    { type: 'rss', externalId: 'https://example.org/3', title: undefined, folder: 'News' },
  ]);
});

it('is a document also when nothing is followed', () => {
  expect(readOpml(renderOpml([], now))).toEqual([]);
});

it('holds no characters that XML cannot', () => {
  const bad = 'a\u0001b\u0000c\ud800d\uffffe\u000b';
  const text = renderOpml(
    [listed({ title: bad, folder: bad, externalId: `https://example.org/${bad}`, siteUrl: bad })],
    now,
  );
  expect(text).not.toMatch(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  expect(readOpml(text)).toHaveLength(1);
});

it('is read again with folders as deep as they can be', () => {
  const folder = Array(20).fill('deep').join('/');
  expect(readOpml(renderOpml([listed({ folder })], now))[0]?.folder).toBe(folder);
});
