import { describe, expect, it } from 'vitest';
import { parseRobotsTxt, robotsDirectives } from './robots-txt.js';

const allows = (text: string, path: string) => parseRobotsTxt(text).allows(new URL(path, 'https://acme.de'));
const forAll = (...rules: string[]) => ['User-agent: *', ...rules].join('\n');

describe('whom a group is for', () => {
  it('is us by name before everybody', () => {
    const text = 'User-agent: *\nDisallow: /\n\nUser-agent: millrace\nDisallow: /private';
    expect(allows(text, '/')).toBe(true);
    expect(allows(text, '/private')).toBe(false);
  });

  it.each(['MILLRACE', 'Millrace/1.0', 'millrace # us'])('is us as %j', (name) => {
    expect(allows(`User-agent: ${name}\nDisallow: /`, '/')).toBe(false);
  });

  it.each(['Millracer', 'Mill', 'Googlebot', ''])('is not us as %j', (name) => {
    expect(allows(`User-agent: ${name}\nDisallow: /`, '/')).toBe(true);
  });

  it('is each of several names before the rules', () => {
    const text = 'User-agent: a\nSitemap: https://acme.de/s.xml\nUser-agent: millrace\nUser-agent: b\nDisallow: /';
    expect(allows(text, '/')).toBe(false);
    expect(allows('User-agent: millrace\nDisallow:\nUser-agent: b\nDisallow: /', '/')).toBe(true);
  });

  it('is the same for all groups of one name', () => {
    const text = 'User-agent: millrace\nDisallow: /a\nUser-agent: x\nDisallow: /\nUser-agent: millrace\nDisallow: /b';
    expect(['/a', '/b', '/c'].map((path) => allows(text, path))).toEqual([false, false, true]);
  });

  it('is nobody for rules before the first name', () => {
    expect(allows('Disallow: /\nUser-agent: *\nDisallow: /x', '/')).toBe(true);
  });
});

describe('which pages a rule is about', () => {
  it.each([
    ['/', '/x', true],
    ['/fish', '/fish', true],
    ['/fish', '/fish.html', true],
    ['/fish', '/fisheries/x', true],
    ['/fish', '/Fish', false],
    ['/fish/', '/fish', false],
    ['/*.php', '/index.php?x', true],
    ['/*.php', '/', false],
    ['/*.php$', '/a/b.php', true],
    ['/*.php$', '/b.php?x', false],
    ['/*.php$', '/b.php5.php', true],
    ['/fish*.php', '/fishheads/catfish.php?x', true],
    ['/fish*', '/fish', true],
    ['/a$', '/a', true],
    ['/a$', '/ab', false],
    ['*/private', '/x/private/y', true],
    ['/*a*b*c', '/xaybzc', true],
    ['/*a*b*c$', '/xaybzcd', false],
    ['/a*a$', '/a', false],
    ['/$x', '/$x', true],
    ['/ö', '/%C3%B6', true],
    ['/%c3%b6', '/ö', true],
    ['/%7ejoe', '/~joe', true],
    ['/a%2fb', '/a/b', false],
    ['/?sort=', '/?sort=up', true],
  ])('%j, %j: %j', (pattern, path, isAbout) => {
    expect(allows(forAll(`Disallow: ${pattern}`), path)).toBe(!isAbout);
  });

  it('takes no time to speak of for a pattern made to take long', () => {
    expect(allows(forAll(`Disallow: /${'*a'.repeat(1_000)}b`), `/${'a'.repeat(2_000)}`)).toBe(true);
  });
});

describe('several rules', () => {
  it('are decided by the longest that fits', () => {
    const text = forAll('Disallow: /', 'Allow: /shop', 'Disallow: /shop/cart');
    expect(['/x', '/shop', '/shop/x', '/shop/cart'].map((path) => allows(text, path))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('of one length allow', () => {
    expect(allows(forAll('Disallow: /a', 'Allow: /a'), '/a')).toBe(true);
  });

  it('do not concern robots.txt itself', () => {
    expect(allows(forAll('Disallow: /'), '/robots.txt')).toBe(true);
  });
});

describe('what else it tells', () => {
  it.each([
    ['Crawl-delay: 2.5', 2_500],
    ['crawl-delay : 3600', 10_000],
    ['Crawl-delay: soon', 0],
    ['Crawl-delay: -1', 0],
    ['', 0],
  ])('a pause (%j)', (line, delayMs) => {
    expect(parseRobotsTxt(forAll(line)).delayMs).toBe(delayMs);
  });

  it('no pause that is meant for others', () => {
    expect(parseRobotsTxt('User-agent: bing\nCrawl-delay: 5\nUser-agent: x\nAllow: /').delayMs).toBe(0);
  });

  it('where sitemaps are', () => {
    const text = 'Sitemap: https://acme.de/a.xml\nUser-agent: x\nDisallow: /\nSITEMAP:https://acme.de/b.xml # b';
    expect(parseRobotsTxt(text).sitemaps).toEqual(['https://acme.de/a.xml', 'https://acme.de/b.xml']);
  });
});

it.each([
  ['nothing', ''],
  ['a page', '<!doctype html><html><body style="color: red">Not found: sorry</body></html>'],
  ['bytes', '\u0000\ufffd\u0001:\r:\n::'],
])('forbids nothing where it is %s', (_, text) => {
  expect(allows(text, '/')).toBe(true);
});

it('is read in spite of a byte order mark, other line ends and blanks', () => {
  expect(allows('\ufeffUser-agent:*\r\r\n  DISALLOW :  /a  # no', '/a')).toBe(false);
});

describe('the directives of a page', () => {
  it.each([
    ['noindex', true, false],
    ['NoIndex , NOFOLLOW', true, true],
    ['none', true, true],
    ['nofollow', false, true],
    ['all', false, false],
    ['', false, false],
    ['googlebot: noindex, nofollow', false, false],
    ['millrace: noindex', true, false],
    ['otherbot: nofollow, millrace: noindex', true, false],
    ['unavailable_after: 25 Jun 2030 15:00:00 PST, noindex', true, false],
    ['max-snippet:5, nofollow', false, true],
    ['noindexed', false, false],
  ])('%j asks not to be kept: %j, not to be followed: %j', (header, noIndex, noFollow) => {
    expect(robotsDirectives(header)).toEqual({ noIndex, noFollow });
  });
});
