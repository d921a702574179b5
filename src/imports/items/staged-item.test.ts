import { expect, it } from 'vitest';
import { foundPost } from '../../../test/posts/made-posts.js';
import { stagedItems } from './staged-item.js';

it('items keep their places among those that cannot be read', () => {
  const staged = stagedItems({
    posts: [foundPost('a'), foundPost('b'), foundPost('c')],
    unreadable: [
      { place: 1, reason: 'empty' },
      { place: 3, reason: 'empty, too' },
    ],
  });
  expect(staged.map(({ place, post, unreadable }) => [place, post?.externalId ?? unreadable])).toEqual([
    [1, 'empty'],
    [2, 'a'],
    [3, 'empty, too'],
    [4, 'b'],
    [5, 'c'],
  ]);
});

it('an item that repeats another one takes its place along', () => {
  const staged = stagedItems({ posts: [foundPost('a'), foundPost('b')], repeated: [2] });
  expect(staged.map(({ place, post }) => [place, post?.externalId])).toEqual([
    [1, 'a'],
    [3, 'b'],
  ]);
});

it('dates survive JSON', () => {
  const publishedAt = new Date('2026-03-01T12:00:00Z');
  const [item] = JSON.parse(JSON.stringify(stagedItems({ posts: [foundPost('a', { publishedAt })] })));
  expect(item.post.publishedAt).toBe('2026-03-01T12:00:00.000Z');
});
