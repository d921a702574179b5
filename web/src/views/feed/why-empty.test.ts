import { expect, it } from 'vitest';
import { filterOf } from './feed-filter';
import { whyEmpty } from './why-empty';

it.each([
  ['q=tide&show=unread', 'No posts match “tide”', true],
  ['show=unread', 'All caught up', true],
  ['show=starred&source=1', 'No starred posts', true],
  ['source=1', 'No posts yet', true],
  ['folder=News', 'No posts yet', true],
  ['', 'No posts yet', false],
])('says of a list narrowed to "%s" that there is: %s', (search, title, showAll) => {
  expect(whyEmpty(filterOf(search))).toMatchObject({ title, showAll });
});
