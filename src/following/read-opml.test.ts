import { describe, expect, it } from 'vitest';
import { readOpml } from './read-opml.js';

const opml = (body: string, before = '') =>
  `<?xml version="1.0"?>${before}<opml version="2.0"><head><title>t</title></head><body>${body}</body></opml>`;
const read = (body: string) => readOpml(opml(body));

describe('an OPML document', () => {
  it('lists feeds in the folders around them', () => {
    const feeds = read(`<outline text="Top" xmlUrl="http://x/1"/>
      <outline text="News &amp; more"><outline text="Tech"><outline title="Two" text="2" type="rss" xmlUrl="http://x/2"/></outline>
      <outline text="Three" xmlUrl="http://x/3?a=1&amp;b=2"/></outline>`);
    expect(feeds).toEqual([
      { title: 'Top', xmlUrl: 'http://x/1', folder: undefined },
      { title: 'Two', xmlUrl: 'http://x/2', folder: 'News & more/Tech' },
      { title: 'Three', xmlUrl: 'http://x/3?a=1&b=2', folder: 'News & more' },
    ]);
  });

  it('may say by category in which folder a feed is', () => {
    const feeds = read(`<outline text="a" xmlUrl="http://x/1" category="/News/Tech,Other"/>
      <outline text="F"><outline text="b" xmlUrl="http://x/2" category="No"/></outline>`);
    expect(feeds.map(({ folder }) => folder)).toEqual(['News/Tech', 'F']);
  });

  it('may have upper case, loose ampersands, no title, the address as title, and other things than feeds', () => {
    const feeds = readOpml(`<OPML><BODY><OUTLINE XMLURL="http://x/?a&b" TEXT=""/>
      <outline text="http://x/2" xmlUrl="http://x/2"/><outline type="link" text="no feed" url="http://x/3"/>
      <outline type="rss" text="feed" url="http://x/4"/><outline text="a note"/></BODY></OPML>`);
    expect(feeds).toEqual([
      { title: undefined, xmlUrl: 'http://x/?a&b', folder: undefined },
      { title: undefined, xmlUrl: 'http://x/2', folder: undefined },
      { title: 'feed', xmlUrl: 'http://x/4', folder: undefined },
    ]);
  });

  it('may be empty', () => {
    expect(readOpml('<opml version="2.0"><head><title>t</title></head><body/></opml>')).toEqual([]);
  });

  it('keeps no characters in titles that the database cannot store', () => {
    const [feed] = read('<outline text="a&#0;b" xmlUrl="http://x/"/>');
    expect(feed?.title).not.toContain('\0');
    expect(read(`<outline text="${'😀'.repeat(400)}" xmlUrl="http://x/"/>`)[0]?.title?.isWellFormed()).toBe(true);
  });

  it('expands no entities of its own', () => {
    const bomb = Array.from({ length: 9 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join('');
    const text = opml('<outline text="&e9;" xmlUrl="http://x/"/>', `<!DOCTYPE opml [<!ENTITY e0 "ha">${bomb}]>`);
    expect(readOpml(text)[0]?.title?.length).toBeLessThan(100);
    const outside = '<!DOCTYPE opml [<!ENTITY file SYSTEM "file:///etc/hostname">]>';
    expect(() => readOpml(opml('<outline text="&file;" xmlUrl="http://x/"/>', outside))).toThrow('not OPML');
  });
});

describe('what is refused', () => {
  it.each([
    '',
    'hello',
    '{"feeds":[]}',
    '<html><body>no</body></html>',
    '<rss><channel/></rss>',
    '<opml><body><outline text="',
  ])('is "%s", which is no OPML', (text) => {
    expect(() => readOpml(text)).toThrow('not OPML');
  });

  it('is a document nested too deeply, however deep', () => {
    expect(() => read('<outline text="a">'.repeat(200) + '</outline>'.repeat(200))).toThrow('nested deeper');
    expect(() => read('<a>'.repeat(100_000))).toThrow('nested deeper');
  });

  it('is a document of more than 20,000 outlines', () => {
    const outline = '<outline text="a" xmlUrl="http://x/"/>';
    expect(read(outline.repeat(20_000))).toHaveLength(20_000);
    expect(() => read(outline.repeat(20_001))).toThrow('20001 outlines; at most 20000');
  });
});
