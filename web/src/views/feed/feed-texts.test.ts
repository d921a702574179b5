import { expect, it } from 'vitest';
import { newPostsText, refreshText, searchResultText } from './feed-texts';

it('says how much a search found, as far as it is known', () => {
  expect(searchResultText({ q: 'tide', count: 0, more: false })).toBe('No posts match “tide”.');
  expect(searchResultText({ q: 'tide', count: 1, more: false })).toBe('1 post found.');
  expect(searchResultText({ q: 'tide', count: 50, more: true })).toBe('More than 50 posts found.');
});

it('counts new posts and sources that were asked', () => {
  expect([1, 3].map(newPostsText)).toEqual(['1 new post', '3 new posts']);
  expect(refreshText(1)).toBe('Checking 1 source for new posts …');
  expect(refreshText(0)).toContain('refreshed moments ago');
});
