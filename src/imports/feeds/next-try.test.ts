import { expect, it } from 'vitest';
import { FetchFailure, NoWorker } from '../../fetching/fetcher.js';
import { OutgoingRequestError } from '../../platform/http/outgoing-request-error.js';
import { nextTry } from './next-try.js';

const now = new Date('2026-03-01T12:00:00Z');
const at = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const after = (error: unknown, startedAt = now) => nextTry(error, { startedAt, now });

it.each(['NETWORK_ERROR', 'TIMEOUT_ERROR', 'RATE_LIMITED', 'UNKNOWN_ERROR'] as const)('%s is tried again', (code) => {
  expect(after(new FetchFailure(code, 'oh'))).toMatchObject({ kind: 'again', reason: 'oh' });
});

it.each(['NOT_FOUND', 'GONE', 'AUTH_ERROR', 'PRIVATE_PROFILE', 'INVALID_CONTENT', 'INVALID_COMMAND'] as const)(
  '%s is not',
  (code) => {
    expect(after(new FetchFailure(code, 'oh'))).toMatchObject({ kind: 'never' });
  },
);

it('a site that says when is asked then', () => {
  const until = at(5);
  expect(after(new FetchFailure('RATE_LIMITED', 'later', { until }))).toEqual({
    kind: 'later',
    until,
    reason: 'later',
  });
});

it('a site that wants to be left alone for longer than an import waits is given up', () => {
  const until = at(59);
  const failure = new FetchFailure('RATE_LIMITED', 'later', { until });
  expect(after(failure)).toMatchObject({ kind: 'later' });
  expect(after(failure, at(-30))).toMatchObject({ kind: 'never', failure });
});

it('a host that is busy with others is asked a little later, however long it has been', () => {
  const busy = new OutgoingRequestError('HOST_BUSY', 'busy');
  expect(after(busy, at(-600))).toMatchObject({ kind: 'later' });
  const until = at(70);
  const turn = new OutgoingRequestError('HOST_BUSY', 'its turn comes later', { until });
  expect(after(turn, at(-600))).toEqual({ kind: 'later', until, reason: 'its turn comes later' });
});

it('a type without a worker is given up', () => {
  expect(after(new NoWorker('nobody there'))).toEqual({ kind: 'never', reason: 'nobody there' });
});

it('a mistake of ours is none of the site', () => expect(after(new TypeError('oh'))).toBeUndefined());
