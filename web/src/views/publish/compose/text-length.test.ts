import { expect, it } from 'vitest';
import { textLength } from './text-length';

const taking = (name: string, unit: 'characters' | 'bytes' = 'characters') => ({
  name,
  accepts: { text: { most: 300, unit }, title: null, media: { least: 0, most: 4, kinds: null } },
});

it('counts characters as people see them', () => {
  expect(textLength(taking('bluesky'), { text: '👨‍👩‍👧 é', link: '' })).toBe(3);
});

it('counts bytes where the platform does', () => {
  expect(textLength(taking('youtube', 'bytes'), { text: 'é€', link: '' })).toBe(5);
});

it('counts the link unless the text names it', () => {
  expect(textLength(taking('bluesky'), { text: 'a', link: 'https://b.c' })).toBe(1 + 2 + 11);
  expect(textLength(taking('bluesky'), { text: 'a https://b.c', link: 'https://b.c' })).toBe(13);
});

it('counts any address as 23 for Mastodon', () => {
  expect(textLength(taking('mastodon'), { text: `a https://example.org/${'x'.repeat(100)}`, link: '' })).toBe(25);
});
