import { expect, it } from 'vitest';
import { filterOf } from './feed-filter';
import { whyEmpty } from './why-empty';

it.each([
  ['q=tide&show=unread', 'Nothing found for “tide”', true],
  ['show=unread', 'All read', true],
  ['show=starred&source=1', 'Nothing starred', true],
  ['source=1', 'No posts yet', true],
  ['folder=News', 'No posts yet', true],
  ['', 'No posts yet', false],
])('says of a list narrowed to "%s" that there is: %s', (search, title, showAll) => {
  expect(whyEmpty(filterOf(search))).toMatchObject({ title, showAll });
});
