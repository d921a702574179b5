import { describe, expect, it } from 'vitest';
import { commonFeedPaths, pageAddresses } from './candidate-addresses.js';

describe('what a user typed', () => {
  it.each([
    ['https://example.org/blog', ['https://example.org/blog']],
    ['  HTTP://Example.org:80/blog ', ['http://example.org/blog']],
    ['example.org', ['https://example.org/', 'http://example.org/']],
    ['example.org:8080/a?b', ['https://example.org:8080/a?b', 'http://example.org:8080/a?b']],
    ['localhost:3000', ['https://localhost:3000/', 'http://localhost:3000/']],
    ['[::1]:80/x', ['https://[::1]:80/x', 'http://[::1]/x']],
    ['feed://example.org/rss', ['https://example.org/rss', 'http://example.org/rss']],
    ['feed:https://example.org/rss', ['https://example.org/rss']],
    ['https://user:secret@example.org/feed', ['https://user:secret@example.org/feed']],
    ['@anna@social.example', ['https://social.example/@anna']],
    ['bücher.example', ['https://xn--bcher-kva.example/', 'http://xn--bcher-kva.example/']],
  ])('takes %s for %j', (typed, addresses) => {
    expect(pageAddresses(typed).map(({ href }) => href)).toEqual(addresses);
  });

  it.each([
    '',
    'news',
    'anna@example.org',
    'javascript:alert(1)',
    'mailto:anna@example.org',
    'file:///etc/passwd',
    'https://',
    'two words.org x',
  ])('takes "%s" for no web address', (typed) => {
    expect(pageAddresses(typed)).toEqual([]);
  });
});

describe('places where feeds often are', () => {
  it('looks at the top of a site', () => {
    const paths = ['feed', 'feed.xml', 'rss', 'rss.xml', 'atom.xml', 'index.xml', 'feed.json'];
    expect(commonFeedPaths('https://example.org/?x#y')).toEqual(paths.map((path) => `https://example.org/${path}`));
    expect(commonFeedPaths('https://example.org/page')).toEqual(paths.map((path) => `https://example.org/${path}`));
  });

  it('looks beside a page first', () => {
    const paths = commonFeedPaths('https://example.org/blog/2024/');
    expect(paths.slice(0, 2)).toEqual(['https://example.org/blog/2024/feed', 'https://example.org/blog/2024/feed.xml']);
    expect(paths).toContain('https://example.org/feed');
  });
});
