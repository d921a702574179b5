import { expect, it } from 'vitest';
import { aSource } from './a-source.fixture';
import { type Arrangement, arrangeSources } from './arrange-sources';

const hour = (at: number) => `2026-01-01T${String(at).padStart(2, '0')}:00:00.000Z`;
const sources = [
  aSource({
    id: '1',
    title: 'Tides 10',
    folder: 'Sea/North',
    lastPostAt: hour(3),
    nextFetchAt: hour(9),
    lastSuccessAt: hour(2),
  }),
  aSource({
    id: '2',
    title: 'Tides 9',
    folder: 'Sea',
    lastPostAt: hour(5),
    nextFetchAt: hour(8),
    lastSuccessAt: hour(4),
  }),
  aSource({
    id: '3',
    title: 'Bread',
    condition: { state: 'failing', reason: 'bread.example answered 404.' },
    consecutiveFailures: 4,
    externalId: 'https://bread.example/rss',
  }),
];
const ids = (wanted: Partial<Arrangement>) =>
  arrangeSources(sources, { text: '', state: '', folder: '', order: 'name', ...wanted }).map(({ id }) => id);

it('sorts by name as people count', () => {
  expect(ids({})).toEqual(['3', '2', '1']);
});

it('sorts by time, with what has none at the end, or at the head of what was longest not fetched', () => {
  expect(ids({ order: 'post' })).toEqual(['2', '1', '3']);
  expect(ids({ order: 'next' })).toEqual(['2', '1', '3']);
  expect(ids({ order: 'stale' })).toEqual(['3', '1', '2']);
  expect(ids({ order: 'failures' })).toEqual(['3', '2', '1']);
});

it('finds by any words of name, address or folder', () => {
  expect(ids({ text: 'north TIDES' })).toEqual(['1']);
  expect(ids({ text: 'bread.example' })).toEqual(['3']);
  expect(ids({ text: 'tides bread' })).toEqual([]);
});

it('narrows to a state, and to a folder with those in it', () => {
  expect(ids({ state: 'failing' })).toEqual(['3']);
  expect(ids({ folder: 'Sea' })).toEqual(['2', '1']);
  expect(ids({ folder: 'Sea/North' })).toEqual(['1']);
});
