import { describe, expect, it } from 'vitest';
import { isWorthAsking, pageAddress, pageKey } from './page-address.js';
import { WORTH } from './page-worth.js';

describe('the address of a page', () => {
  it.each([
    ['https://acme.de/a#b', 'https://acme.de/a'],
    ['https://u:p@acme.de/a', 'https://acme.de/a'],
    ['https://acme.de/a?utm_source=x&id=1&gclid=2', 'https://acme.de/a?id=1'],
    ['https://acme.de/a;jsessionid=1F?id=1', 'https://acme.de/a?id=1'],
    ['HTTPS://ACME.de:443/A', 'https://acme.de/A'],
    ['ftp://acme.de/', undefined],
    ['acme', undefined],
  ])('%s is asked for as %s', (text, address) => {
    expect(pageAddress(text)?.href).toBe(address);
  });

  it.each([
    ['https://www.acme.de/', 'http://acme.de'],
    ['https://acme.de/a/', 'https://acme.de/a'],
    ['https://acme.de/de/index.php', 'https://acme.de/de/'],
    ['https://acme.de/?b=2&a=1', 'https://acme.de/?a=1&b=2'],
  ])('%s is the same page as %s', (one, other) => {
    expect(pageKey(new URL(one))).toBe(pageKey(new URL(other)));
  });

  it.each([
    ['https://shop.acme.de/', 'https://acme.de/'],
    ['https://acme.de/a', 'https://acme.de/A'],
    ['https://acme.de/?a=1', 'https://acme.de/?a=2'],
    ['http://acme.de:8080/', 'http://acme.de/'],
  ])('%s is another page than %s', (one, other) => {
    expect(pageKey(new URL(one))).not.toBe(pageKey(new URL(other)));
  });
});

describe('a link', () => {
  const isAsked = (path: string, worth: (typeof WORTH)[keyof typeof WORTH] = WORTH.other) =>
    isWorthAsking(new URL(path, 'https://acme.de'), worth);

  it.each(['/', '/products/x.html', '/a.php', '/v2.0/', '/dr.mueller'])('to %s is worth asking for', (path) => {
    expect(isAsked(path)).toBe(true);
  });

  it.each([
    '/brochure.pdf',
    '/x.JPG',
    '/a.zip',
    '/wp-json/x',
    '/login',
    '/de/warenkorb/',
    '/calendar?month=2024-05',
    '/list?sort=up',
    '/list?id=7',
    '/a/b/a/b/a/b',
    '/1/2/3/4/5/6/7/8/9',
    `/${'x'.repeat(600)}`,
  ])('to %s is not', (path) => {
    expect(isAsked(path)).toBe(false);
  });

  it('with a query is, if it promises much and is none of an endless number', () => {
    expect(isAsked('/index.php?id=7', WORTH.imprint)).toBe(true);
    expect(isAsked('/index.php?id=7&sort=up', WORTH.imprint)).toBe(false);
    expect(isAsked('/index.php?a=1&b=2&c=3', WORTH.imprint)).toBe(false);
  });
});
