import type { WorldFeed } from '../world.js';

/** Users of an application built on Millrace. */
export const READERS = ['ada', 'bela', 'chidi', 'dora', 'emil', 'fatou', 'goran', 'hana', 'ivo', 'jun', 'kaya', 'leo'];

/** How many readers follow each feed: from all of them down to one. */
const POPULARITY = [12, 9, 6, 5, 4, 3, 2, 2, 1, 1];

/** The admin does not follow every feed, so that some are left to follow. */
const LEFT_OUT = ['tramway', 'bookbinder', 'brass-band', 'net-loft', 'dunlin-relay', 'winter-kitchen'];

export function feedsOfReader(reader: string, feeds: readonly WorldFeed[]): WorldFeed[] {
  const at = READERS.indexOf(reader);
  return feeds.filter((_, feed) => (at + feed * 5) % READERS.length < (POPULARITY[feed % POPULARITY.length] ?? 0));
}

export function feedsOfAdmin(feeds: readonly WorldFeed[]): WorldFeed[] {
  return feeds.filter(({ publication }) => !LEFT_OUT.includes(publication.slug));
}
