import { expect, it } from 'vitest';
import { foundPost } from '../../../test/posts/made-posts.js';
import type { FoundPost } from '../../posts/post.js';
import { FieldMapping } from './field-mapping.js';
import { checkItem, stagedItems } from './staged-item.js';

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

const NOTHING = { url: undefined, title: undefined, content: '', media: [] };

function check(post: Partial<FoundPost>, mapping: object | null = null) {
  const [item] = JSON.parse(JSON.stringify(stagedItems({ posts: [foundPost('a', post)] })));
  return checkItem(item, mapping && FieldMapping.parse(mapping));
}

it('a post is storable as it was found', () => {
  const found = foundPost('a', { publishedAt: new Date('2026-03-01T12:00:00Z'), metrics: { likes: 3 } });
  const [item] = JSON.parse(JSON.stringify(stagedItems({ posts: [found] })));
  expect(checkItem(item, null)).toEqual({ post: found });
});

it.each<[string, Partial<FoundPost>]>([
  ['with nothing but an id', NOTHING],
  ['with long content', { content: 'x'.repeat(2_000_001) }],
  ['with a link to something else than a page', { url: 'mailto:ann@site.example' }],
])('a post %s is storable, as a follow stores it', (_, post) => {
  expect(check(post)).toEqual({ post: foundPost('a', post) });
});

it('an item that could not be read is rejected with the given reason', () => {
  expect(checkItem({ place: 7, unreadable: 'it is empty' }, null)).toEqual({ reason: 'it is empty' });
});

it('a field that the import requires must be there', () => {
  const mapping = { company: { from: ['job:company', 'company'], required: true }, salary: 'salary' };
  expect(check({ fields: { company: 'Mill & Sons' } }, mapping)).toMatchObject({ post: { externalId: 'a' } });
  const reason = 'no company: looked for job:company, company';
  expect(check({ fields: { salary: '1' } }, mapping)).toEqual({ reason });
  expect(check({}, mapping)).toEqual({ reason });
});

it('also one whose name every object knows', () => {
  const reason = 'no constructor: looked for company';
  expect(check({ fields: {} }, { constructor: { from: 'company', required: true } })).toEqual({ reason });
});
