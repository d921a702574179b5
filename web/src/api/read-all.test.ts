import { expect, it } from 'vitest';
import { readAll } from './read-all';

const pages = (count: number) => async (cursor: string | undefined) => {
  const at = Number(cursor ?? 0);
  return { items: [at], nextCursor: at + 1 < count ? String(at + 1) : null };
};

it('reads a list to its end', async () => {
  expect(await readAll(pages(3), 10)).toEqual({ items: [0, 1, 2], complete: true });
});

it('stops when there are enough, and says that there are more', async () => {
  expect(await readAll(pages(5), 2)).toEqual({ items: [0, 1], complete: false });
});

it('is complete where the last page makes it just enough', async () => {
  expect(await readAll(pages(2), 2)).toEqual({ items: [0, 1], complete: true });
});
