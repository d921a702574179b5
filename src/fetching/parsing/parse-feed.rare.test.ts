import { describe, expect, it } from 'vitest';
import { atomOf, entry, item, parse, postOf, rssOf } from '../../../test/fetching/made-feeds.js';

describe('the Channel Definition Format', () => {
  it('is read, with addresses and times in its tags', () => {
    const feed = parse(
      '<CHANNEL HREF="https://site.example/?a=1&amp;b"><TITLE>Channel</TITLE><ABSTRACT>About</ABSTRACT>' +
        '<ITEM HREF="https://site.example/1" LASTMOD="2004-04-06T23:05:43-05:00"><TITLE>One</TITLE><ABSTRACT>First</ABSTRACT></ITEM>' +
        '<ITEM HREF="https://site.example/2"/></CHANNEL>',
    );
    expect(feed).toMatchObject({ title: 'Channel', siteUrl: 'https://site.example/?a=1&b' });
    expect(feed.posts).toMatchObject([
      {
        url: 'https://site.example/1',
        title: 'One',
        content: 'First',
        publishedAt: new Date('2004-04-07T04:05:43Z'),
      },
      { url: 'https://site.example/2' },
    ]);
  });
});

describe('RSS with a prefix on all its elements', () => {
  it('is read, and modules keep theirs', () => {
    const feed = parse(
      '<r:rss version="2.0" xmlns:r="http://backend.userland.com/rss2" xmlns:dc="http://purl.org/dc/elements/1.1/"><r:channel>' +
        '<r:title>Channel</r:title><r:item><r:title>One</r:title><dc:creator>Ann</dc:creator></r:item></r:channel></r:rss>',
    );
    expect(feed.title).toBe('Channel');
    expect(feed.posts).toMatchObject([{ title: 'One', author: { displayName: 'Ann' } }]);
  });
});

describe('who wrote it', () => {
  it('may be an author in the name of Dublin Core', () => {
    expect(postOf(rssOf(item('<dc:author>Ann</dc:author>'))).author.displayName).toBe('Ann');
  });

  it('is the publisher where nobody else is named', () => {
    const [publisher, creator] = ['<dc:publisher>The Paper</dc:publisher>', '<dc:creator>Ann</dc:creator>'];
    expect(postOf(rssOf(item(`<title>x</title>${publisher}`))).author.displayName).toBe('The Paper');
    expect(postOf(rssOf(item(publisher, creator))).author.displayName).toBe('Ann');
    expect(postOf(rssOf(publisher, item('<title>x</title>'))).author.displayName).toBe('The Paper');
  });
});

describe('a link', () => {
  it('may lead to what is no web page, if there is no page', () => {
    expect(postOf(rssOf(item('<link>ftp://files.example/a.txt</link>'))).url).toBe('ftp://files.example/a.txt');
    expect(postOf(atomOf(entry('<id>1</id><link href="magnet:?xt=urn:btih:1"/>'))).url).toBe('magnet:?xt=urn:btih:1');
    const both = '<id>1</id><link href="ftp://files.example/a"/><link href="https://site.example/a"/>';
    expect(postOf(atomOf(entry(both))).url).toBe('https://site.example/a');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd'])('is never %s', (address) => {
    expect(postOf(rssOf(item(`<title>x</title><link>${address}</link>`))).url).toBeUndefined();
    expect(postOf(atomOf(entry(`<id>1</id><link href="${address}"/>`))).url).toBeUndefined();
  });
});

it('a title of a type that nobody knows is its words', () => {
  expect(postOf(atomOf(entry('<id>1</id><title type="made/up">test</title>'))).title).toBe('test');
});
