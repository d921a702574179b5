import type { Publication } from './publication';

/** For tests. */
export const publication = (given: Partial<Publication> = {}): Publication => ({
  id: '1',
  accountId: '1',
  platform: 'webhook',
  groupId: null,
  status: 'scheduled',
  version: 1,
  slot: false,
  content: { text: 'Hello', mediaUrls: [] },
  priority: 'normal',
  attempts: 0,
  history: [],
  scheduledAt: '2026-01-01T10:00:00.000Z',
  createdAt: '2026-01-01T09:00:00.000Z',
  publishedAt: null,
  localTime: null,
  timezone: null,
  expiresAt: null,
  platformPostId: null,
  platformUrl: null,
  lastError: null,
  waitingFor: 'its time',
  waitsUntil: '2026-01-01T10:00:00.000Z',
  ...given,
});
