import { expect, it } from 'vitest';
import { mergeChanged } from './merge-changed';
import { publication } from './publication.sample';

const ids = (items: { id: string }[]) => items.map(({ id }) => id);

it('replaces what is known where it stands, and puts what is new in front', () => {
  const known = [publication({ id: '2' }), publication({ id: '1' })];
  const merged = mergeChanged(known, [publication({ id: '1', status: 'published' }), publication({ id: '3' })], {});
  expect(ids(merged)).toEqual(['3', '2', '1']);
  expect(merged[2]?.status).toBe('published');
});

it('leaves out what is of another account', () => {
  expect(mergeChanged([], [publication({ id: '3', accountId: '9' })], { account: '1' })).toEqual([]);
});

it('takes out what has moved to another time', () => {
  const scope = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
  const known = [publication({ id: '1', scheduledAt: '2026-01-01T12:00:00.000Z' })];
  const moved = publication({ id: '1', scheduledAt: '2026-01-02T00:00:00.000Z' });
  expect(mergeChanged(known, [moved], scope)).toEqual([]);
});
