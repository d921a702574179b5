import type { Post } from './post';

export const aPost = (given: Partial<Post> = {}): Post => ({
  id: '1',
  sourceId: '1',
  source: { id: given.sourceId ?? '1', type: 'rss', title: 'Tide Tables' },
  externalId: 'x',
  title: 'A note',
  url: 'https://tides.example/1',
  content: '<p>Water.</p>',
  publishedAt: '2026-01-01T00:00:00.000Z',
  author: { username: 'ann', displayName: 'Ann' },
  mediaUrls: [],
  media: [],
  read: false,
  starred: false,
  ...given,
});
