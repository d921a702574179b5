import type { FetchCommand } from '../../src/contracts/fetch-command.js';

/** A successful result unless the test changes it. */
export function answering({ jobId, sourceId }: Pick<FetchCommand, 'jobId' | 'sourceId'>, more: object = {}) {
  const answer = { schemaVersion: 1, jobId, sourceId, status: 'success', data: { posts: [], hasMore: false } };
  return { ...answer, timestamp: new Date().toISOString(), processingTime: 1, ...more };
}

export function failing(command: FetchCommand, error: object) {
  return answering(command, { status: 'error', data: undefined, error: { message: 'it went wrong', ...error } });
}

export function remotePost(externalId: string, more: object = {}) {
  return {
    externalId,
    content: `Post ${externalId}`,
    title: `Post ${externalId}`,
    mediaUrls: [],
    publishedAt: '2026-01-01T00:00:00Z',
    author: { username: 'ada', displayName: 'Ada' },
    ...more,
  };
}
