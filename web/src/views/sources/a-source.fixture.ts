import type { Source } from './source';

export const aSource = (given: Partial<Source> = {}): Source => ({
  id: '1',
  type: 'rss',
  externalId: 'https://tides.example/feed',
  title: 'Tide Tables',
  siteUrl: null,
  folder: null,
  followers: 1,
  activeFollowers: 1,
  priority: 7,
  intervalSeconds: 7_200,
  nextFetchAt: null,
  lastFetchAt: null,
  lastSuccessAt: null,
  lastError: null,
  consecutiveFailures: 0,
  state: 'active',
  lastPostAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  because: [],
  ...given,
});
