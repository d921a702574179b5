import { describe, expect, it } from 'vitest';
import { foundPost } from '../../../test/posts/made-posts.js';
import { type CollectedPage, collectItems, MAX_PAGES } from './feed-reader.js';

/** An archive whose pages contain one item each. */
function archive(pages: Record<string, CollectedPage | Error>) {
  const asked: string[] = [];
  const collect = (from: { cursor: string | null; pages: string[] }, most = Number.POSITIVE_INFINITY) =>
    collectItems({
      ...from,
      fetchPage: async (cursor = 'top') => {
        asked.push(cursor);
        const page = pages[cursor];
        if (!page || page instanceof Error) throw page;
        return page;
      },
      shouldContinue: (items) => items < most,
    });
  return { asked, collect };
}

const page = (id: string, nextCursor?: string): CollectedPage => ({ posts: [foundPost(id)], nextCursor });
const BEGINNING = { cursor: null, pages: [] };
const idsIn = ({ items }: { items: { post?: { externalId: string } }[] }) => items.map(({ post }) => post?.externalId);

describe('the pages of a feed', () => {
  it('are collected to the end of its archive', async () => {
    const { collect } = archive({ top: page('3', 'b'), b: page('2', 'c'), c: page('1') });
    const collected = await collect(BEGINNING);
    expect(idsIn(collected)).toEqual(['3', '2', '1']);
    expect(collected).toMatchObject({ cursor: null, first: { nextCursor: 'b' }, leftBecause: null });
  });

  it('are left when there is enough, and gone on with where they were left', async () => {
    const { collect, asked } = archive({ top: page('3', 'b'), b: page('2', 'c'), c: page('1') });
    const some = await collect(BEGINNING, 2);
    expect(some.cursor).toBe('c');
    const rest = await collect(some);
    expect(idsIn(rest)).toEqual(['1']);
    expect(rest).toMatchObject({ cursor: null, first: undefined });
    expect(asked).toEqual(['top', 'b', 'c']);
  });

  it('end where they lead back to one that was fetched, in this run or an earlier one', async () => {
    const { collect, asked } = archive({ top: page('3', 'b'), b: page('2', 'c'), c: page('1', 'b') });
    const rest = await collect(await collect(BEGINNING, 1));
    expect(rest.cursor).toBeNull();
    expect(asked).toEqual(['top', 'b', 'c']);
  });

  it('are kept up to one that fails, which the next run begins with', async () => {
    const failure = new Error('not today');
    const { collect } = archive({ top: page('3', 'b'), b: failure });
    const some = await collect(BEGINNING);
    expect(idsIn(some)).toEqual(['3']);
    expect(some.cursor).toBe('b');
    await expect(collect(some)).rejects.toThrow(failure);
  });

  it('are left out after many pages, which is reported', async () => {
    let count = 0;
    const collected = await collectItems({
      ...BEGINNING,
      fetchPage: async () => page(String(count), String(++count)),
      shouldContinue: () => true,
    });
    expect(collected.items).toHaveLength(MAX_PAGES + 1);
    expect(collected).toMatchObject({ cursor: null, leftBecause: expect.stringContaining(String(MAX_PAGES)) });
  });
});
