import { expect, it } from 'vitest';
import { commonFeedPaths } from './common-feed-paths.js';

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
