import { expect, it } from 'vitest';
import { newestOf } from './newest-of';
import { publication } from './publication.sample';

const change = { at: '2026-01-01T10:00:00.000Z', from: null, to: 'scheduled' as const, reason: 'it was made' };

it('keeps the later of two states, in whatever order they were read', () => {
  const before = publication({ status: 'scheduled', history: [change] });
  const after = publication({ status: 'published', history: [change, change] });
  expect(newestOf([before, after])).toEqual([after]);
  expect(newestOf([after, before])).toEqual([after]);
});

it('keeps the order of those that differ', () => {
  expect(newestOf([publication({ id: '2' }), publication({ id: '1' })]).map(({ id }) => id)).toEqual(['2', '1']);
});
