import { describe, expect, it } from 'vitest';
import { atomOf, FEED_URL, item, jsonOf, parse, rdfOf, rssOf } from '../../../test/fetching/made-feeds.js';

const HISTORY = 'xmlns:fh="http://purl.org/syndication/history/1.0"';
const NEXT = '<link rel="next" href="https://a.example/2"/>';
const older = (document: string) => parse(document).olderUrl;

describe('the page of older posts', () => {
  it.each([
    ['RSS', rssOf('<atom:link rel="next" href="?page=2"/>'), `${FEED_URL}?page=2`],
    [
      'RSS of another prefix',
      rssOf('<a10:link xmlns:a10="http://www.w3.org/2005/Atom" rel="next" href="/2"/>'),
      'https://feeds.example/2',
    ],
    ['RDF', rdfOf('<atom:link rel="next" href="https://a.example/2"/>'), 'https://a.example/2'],
    ['Atom', atomOf(NEXT), 'https://a.example/2'],
    ['JSON', jsonOf({ title: 't', next_url: '../2', items: [] }), 'https://feeds.example/2'],
  ])('is named by %s', (_, document, url) => expect(older(document)).toBe(url));

  it('is the archive rather than the next page', () => {
    expect(older(atomOf(NEXT, '<link rel="prev-archive" href="https://a.example/2003"/>'))).toBe(
      'https://a.example/2003',
    );
  });

  it('is relative to where the feed says that it lies', () => {
    const based = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://b.example/x/"><link rel="next" href="2#top"/></feed>`;
    expect(older(based)).toBe('https://b.example/x/2');
    const moved = parse(rssOf('<atom:link rel="next" href="2"/>'), { contentLocation: 'https://c.example/d/' });
    expect(moved.olderUrl).toBe('https://c.example/d/2');
  });

  it.each([
    ['the feed itself', atomOf(`<link rel="next" href="${FEED_URL}#more"/>`)],
    ['what the feed calls itself', atomOf('<link rel="self" href="https://a.example/2"/>', NEXT)],
    ['a page for people', atomOf('<link rel="next" type="text/html" href="https://a.example/2"/>')],
    ['a newer page', atomOf('<link rel="previous" href="/1"/><link rel="next-archive" href="/2"/>')],
    [
      'anything but the web',
      atomOf('<link rel="next" href="file:///etc/passwd"/><link rel="next" href="mailto:a@b.c"/>'),
    ],
    ['anywhere', atomOf('<link rel="next"/>')],
    ['an address without end', atomOf(`<link rel="next" href="/${'x'.repeat(5_000)}"/>`)],
    ['one that an item names', rssOf(item('<title>x</title><atom:link rel="next" href="https://a.example/2"/>'))],
    ['something that is no address', jsonOf({ title: 't', next_url: { page: 2 }, items: [] })],
  ])('is not %s', (_, document) => expect(older(document)).toBeUndefined());

  it('is the first that leads somewhere', () => {
    expect(older(atomOf(`<link rel="prev-archive" href="${FEED_URL}"/>`, NEXT))).toBe('https://a.example/2');
  });

  it('is not there where the feed is complete', () => {
    expect(older(atomOf(`<fh:complete ${HISTORY}/>`, NEXT))).toBeUndefined();
    expect(older(atomOf('<complete xmlns="http://purl.org/syndication/history/1.0"/>', NEXT))).toBeUndefined();
    expect(
      older(
        `<rss version="2.0" ${HISTORY}><channel><fh:complete></fh:complete>${'<atom:link rel="next" href="/2"/>'}</channel></rss>`,
      ),
    ).toBeUndefined();
  });

  it('is there where only a podcast has ended, or a post speaks of complete feeds', () => {
    expect(older(rssOf('<itunes:complete>yes</itunes:complete><atom:link rel="next" href="/2"/>'))).toBeDefined();
    const archived = `<rss version="2.0" ${HISTORY}><channel><fh:archive/><atom:link rel="prev-archive" href="/2"/>`;
    const text = item('<description><![CDATA[Write <fh:complete/>]]></description>');
    expect(older(`${archived}${text}</channel></rss>`)).toBeDefined();
  });
});
