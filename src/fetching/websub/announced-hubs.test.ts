import { expect, it } from 'vitest';
import { announcedHubs } from './announced-hubs.js';

const url = 'https://site.example/feed';
const hub = 'https://hub.example/';

it('a feed names its hubs and its own address', () => {
  const feed = { hubUrls: [hub, 'https://other.example/', hub], selfUrl: 'https://site.example/atom' };
  const announced = { hubs: [hub, 'https://other.example/'], topic: 'https://site.example/atom' };
  expect(announcedHubs({ url, headers: {} }, feed)).toEqual(announced);
});

it('what Link headers say comes before what the feed says, in whatever way they spell it', () => {
  const link =
    '<https://a.example/>; rel="hub", </own>; rel=self, <https://b.example/>; title="x"; rel="Hub other", <https://c.example/>; rel=next';
  const announced = { hubs: ['https://a.example/', 'https://b.example/', hub], topic: 'https://site.example/own' };
  expect(announcedHubs({ url, headers: { link } }, { hubUrls: [hub], selfUrl: url })).toEqual(announced);
});

it('a feed that names no address of its own is known by where it was found, without its credentials', () => {
  const found = { url: 'https://me:secret@site.example/feed', headers: {} };
  expect(announcedHubs(found, { hubUrls: [hub] })).toEqual({ hubs: [hub], topic: url });
});

it('a feed without hubs announces nothing, whatever its headers are', () => {
  for (const link of [undefined, '', 'hub', '<>; rel=hub', '<ftp://a.example/>; rel=hub', `<${url}>; rel=self`])
    expect(announcedHubs({ url, headers: link === undefined ? {} : { link } }, {}), link).toBeUndefined();
});

it('a header as long as a server takes it is read at once', () => {
  const link = `${'<'.repeat(8_000)}${'; '.repeat(4_000)}rel=hub`;
  expect(announcedHubs({ url, headers: { link } }, {})).toBeUndefined();
});

it('a feed that names an address of another site as its own announces nothing', () => {
  const feed = { hubUrls: [hub], selfUrl: 'https://bank.example/feed' };
  expect(announcedHubs({ url, headers: {} }, feed)).toBeUndefined();
  expect(
    announcedHubs({ url, headers: { link: '<https://bank.example/>; rel=self' } }, { hubUrls: [hub] }),
  ).toBeUndefined();
  const within = { hubUrls: [hub], selfUrl: 'https://www.site.example/feed' };
  expect(announcedHubs({ url, headers: {} }, within)).toMatchObject({ topic: 'https://www.site.example/feed' });
});
