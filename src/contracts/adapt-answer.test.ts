import { describe, expect, it } from 'vitest';
import { adaptAnswer } from './adapt-answer.js';
import { FetchResult } from './fetch-result.js';

const post = {
  external_id: 7,
  content: 'Hello',
  published_at: '2026-01-31T12:00:00.123456',
  author: { username: 'ada', display_name: 'Ada', avatar_url: null },
};
const success = {
  job_id: 'job',
  source_id: 42,
  status: 'success',
  data: { posts: [post], has_more: false, metadata: { total_available: 3, skipped_count: 1 } },
  timestamp: '2026-01-31 12:00:01',
  processing_time: 5,
};
const failure = { jobId: 'job', sourceId: '42', status: 'error', timestamp: '2026-01-31T12:00:01Z', processingTime: 5 };

const read = (message: unknown) => FetchResult.safeParse(adaptAnswer(message).message);

describe('an answer in the form of a Python worker', () => {
  it('has snake_case names, whole numbers as ids, and times without a zone, which are UTC', () => {
    expect(read(success).data).toMatchObject({
      jobId: 'job',
      sourceId: '42',
      timestamp: '2026-01-31T12:00:01Z',
      data: {
        posts: [
          {
            externalId: '7',
            publishedAt: '2026-01-31T12:00:00.123456Z',
            author: { username: 'ada', displayName: 'Ada' },
          },
        ],
        metadata: { totalAvailable: 3, skippedCount: 1 },
      },
    });
  });

  it('says what to send instead, once for each form', () => {
    const { preferred } = adaptAnswer({ ...success, data: { posts: [post, post], has_more: false } });
    expect(preferred).toContain('jobId instead of job_id');
    expect(preferred).toContain('externalId as text');
    expect(preferred.filter((form) => form.startsWith('publishedAt as'))).toHaveLength(1);
    expect(new Set(preferred).size).toBe(preferred.length);
  });

  it('keeps the message of an error whose code is not known, and takes details of any shape', () => {
    for (const details of ['Traceback …', [1, 2], { retry_after_seconds: '30' }, null, 7]) {
      const { data } = read({ ...failure, error: { code: 'FETCH_ERROR', message: 'the page changed', details } });
      expect(data, JSON.stringify(details)).toMatchObject({
        error: { code: 'UNKNOWN_ERROR', message: 'the page changed' },
      });
    }
    const limited = { code: 'RATE_LIMITED', message: 'wait', details: { retry_after_seconds: '30' } };
    expect(read({ ...failure, error: limited }).data).toMatchObject({ error: { details: { retryAfterSeconds: 30 } } });
  });

  it('is left as it is where it has the published form', () => {
    const error = { code: 'NOT_FOUND', message: 'gone', details: { retryAfterSeconds: 3 } };
    expect(adaptAnswer({ ...failure, error })).toEqual({ message: { ...failure, error }, preferred: [] });
  });

  it.each<[string, unknown, string]>([
    ['a time that is none', { ...success, timestamp: 'yesterday' }, 'timestamp'],
    ['no id', { ...success, job_id: undefined }, 'jobId'],
    ['an id that lost digits', { ...success, source_id: 2 ** 60 }, 'sourceId'],
    ['a post without an author', { ...success, data: { posts: [{ ...post, author: undefined }] } }, 'author'],
    ['no message', { ...failure, error: { code: 'NOT_FOUND' } }, 'message'],
  ])('is refused with the name of the field for %s', (_, message, field) => {
    expect(read(message).error?.issues.map(({ path }) => path.at(-1))).toContain(field);
  });

  it.each([null, 'text', 7, [], [1]])('is refused if it is not an object: %j', (message) => {
    expect(read(message).success).toBe(false);
  });
});
