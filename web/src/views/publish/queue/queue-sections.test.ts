import { expect, it } from 'vitest';
import { publication } from '../publication.sample';
import { queueSections } from './queue-sections';

const at = (hour: number) => `2026-01-01T0${hour}:00:00.000Z`;
const ids = (items: { id: string }[]) => items.map(({ id }) => id);

it('has what is due first in front', () => {
  const { waiting } = queueSections([
    publication({ id: '3', scheduledAt: at(5) }),
    publication({ id: '2', scheduledAt: at(3), status: 'publishing' }),
    publication({ id: '1', scheduledAt: at(3), status: 'queued' }),
  ]);
  expect(ids(waiting)).toEqual(['1', '2', '3']);
});

it('sets apart what needs somebody', () => {
  const { attention, waiting } = queueSections([
    publication({ id: '1', status: 'unknown' }),
    publication({ id: '2', status: 'failed' }),
    publication({ id: '3', status: 'cancelled' }),
  ]);
  expect(ids(attention)).toEqual(['1', '2']);
  expect(waiting).toEqual([]);
});

it('shows what was just handed in apart from the others, whatever becomes of it', () => {
  const one = publication({ id: '1', status: 'published' });
  const { made, out, waiting } = queueSections([one, publication({ id: '2' })], ['1', '2']);
  expect([ids(made), ids(out), ids(waiting)]).toEqual([['1', '2'], [], []]);
});

it('tells the ten that went out last', () => {
  const many = Array.from({ length: 12 }, (_, nr) =>
    publication({ id: String(nr), status: 'published', publishedAt: `2026-01-01T10:00:${10 + nr}.000Z` }),
  );
  expect(ids(queueSections(many).out)).toEqual(['11', '10', '9', '8', '7', '6', '5', '4', '3', '2']);
});
