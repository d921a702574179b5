import { expect, it } from 'vitest';
import { foldersOf, isInFolder } from './folders';

it('lists each folder once, with those around it', () => {
  const sources = ['News/Local', 'Art', null, 'News/Local', 'News/Far'].map((folder) => ({ folder }));
  expect(foldersOf(sources)).toEqual(['Art', 'News', 'News/Far', 'News/Local']);
});

it('takes what lies deeper for part of a folder, and not what only begins alike', () => {
  expect(['News', 'News/Local', 'Newsroom', null].map((place) => isInFolder(place, 'News'))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
