import { expect, it } from 'vitest';
import { aPost } from './a-post.fixture';
import { type FeedPages, postsOf, withChanged, withNews, withoutRepeats } from './feed-pages';

const at = (id: string, hour: number) =>
  aPost({ id, publishedAt: `2026-01-01T${String(hour).padStart(2, '0')}:00:00.000Z` });
const feed = (nextCursor: string | null): FeedPages => ({
  pages: [
    { items: [at('9', 20), at('8', 18)], nextCursor: 'a' },
    { items: [at('7', 12), at('6', 10)], nextCursor },
  ],
  pageParams: [undefined, 'a'],
});
const ids = (pages: FeedPages) => postsOf(pages).map(({ id }) => id);

it('puts news where they belong in time', () => {
  expect(ids(withNews(feed('b'), [at('20', 19), at('21', 23), at('22', 11)]))).toEqual([
    '21',
    '9',
    '20',
    '8',
    '7',
    '22',
    '6',
  ]);
});

it('leaves what is older than all that was loaded to the pages that follow', () => {
  expect(ids(withNews(feed('b'), [at('20', 3)]))).toEqual(['9', '8', '7', '6']);
  expect(ids(withNews(feed(null), [at('20', 3)]))).toEqual(['9', '8', '7', '6', '20']);
});

it('orders posts of one time by their ids, also beyond what a number holds', () => {
  const news = [at('90071992547409931', 22), at('90071992547409932', 22)];
  expect(ids(withNews(feed('b'), news)).slice(0, 2)).toEqual(['90071992547409932', '90071992547409931']);
});

it('keeps a known post as it is, read and starred', () => {
  const read = withChanged(feed('b'), (post) => (post.id === '9' ? { ...post, read: true } : post));
  expect(withNews(read, [at('9', 20)])).toBe(read);
});

it('fills an empty list', () => {
  expect(ids(withNews({ pages: [{ items: [], nextCursor: null }], pageParams: [undefined] }, [at('1', 1)]))).toEqual([
    '1',
  ]);
});

it('shows a post once that two pages hold', () => {
  expect(withoutRepeats([at('2', 2), at('1', 1), at('2', 2)]).map(({ id }) => id)).toEqual(['2', '1']);
});
