import { describe, expect, it } from 'vitest';
import type { HttpResponse } from '../../platform/http/http-response.js';
import { type OutgoingRequestCode, OutgoingRequestError } from '../../platform/http/outgoing-request-error.js';
import { PublishFailure } from '../platform.js';
import { harmless, statusFailure, tidied, uncertainUnlessUnsent } from './judge-failure.js';

const until = new Date('2030-01-01T00:00:00Z');
const failed = (code: OutgoingRequestCode, cause?: unknown) =>
  new OutgoingRequestError(code, 'https://platform.example failed', { cause, until });
const systemError = (code: string, syscall?: string) => Object.assign(new Error(code), { code, syscall });
const refusedAt = (count: number) =>
  Object.assign(
    new AggregateError(
      Array.from({ length: count }, () => systemError('ECONNREFUSED', 'connect')),
      '',
    ),
    { code: 'ECONNREFUSED' },
  );

describe('a call without an answer', () => {
  it.each([
    ['a refused address', failed('ADDRESS_REFUSED'), 'REFUSED', 'REFUSED'],
    ['a host that is left alone', failed('HOST_BACKING_OFF'), 'RATE_LIMITED', 'RATE_LIMITED'],
    ['a turn at the host that comes later', failed('HOST_BUSY'), 'NOT_YET', 'NOT_YET'],
    ['a host that is busy', new OutgoingRequestError('HOST_BUSY', 'busy'), 'NOT_YET', 'NOT_YET'],
    ['nobody listening', failed('NETWORK_ERROR', systemError('ECONNREFUSED', 'connect')), 'UNREACHABLE', 'UNREACHABLE'],
    ['nobody listening at any address', failed('NETWORK_ERROR', refusedAt(2)), 'UNREACHABLE', 'UNREACHABLE'],
    ['no such name', failed('NETWORK_ERROR', systemError('ENOTFOUND', 'getaddrinfo')), 'UNREACHABLE', 'UNREACHABLE'],
    ['no connection in time', failed('TIMEOUT', systemError('UND_ERR_CONNECT_TIMEOUT')), 'UNREACHABLE', 'UNREACHABLE'],
    ['no way there', failed('NETWORK_ERROR', systemError('EHOSTUNREACH', 'connect')), 'UNREACHABLE', 'UNREACHABLE'],
    ['a connection given up', failed('TIMEOUT', systemError('ETIMEDOUT', 'connect')), 'UNREACHABLE', 'UNREACHABLE'],
    ['an old certificate', failed('NETWORK_ERROR', systemError('CERT_HAS_EXPIRED')), 'UNREACHABLE', 'UNREACHABLE'],
    ['a connection that broke', failed('NETWORK_ERROR', systemError('ECONNRESET', 'read')), 'UNCERTAIN', 'UNREACHABLE'],
    ['a connection that timed out', failed('TIMEOUT', systemError('ETIMEDOUT', 'read')), 'UNCERTAIN', 'UNREACHABLE'],
    ['no answer in time', failed('TIMEOUT'), 'UNCERTAIN', 'UNREACHABLE'],
    ['an error without a cause', failed('NETWORK_ERROR', new AggregateError([])), 'UNCERTAIN', 'UNREACHABLE'],
    ['an answer that is too large', failed('TOO_LARGE'), 'UNCERTAIN', 'UNAVAILABLE'],
    ['a redirect', failed('TOO_MANY_REDIRECTS'), 'UNCERTAIN', 'REFUSED'],
    ['a redirect to nonsense', failed('INVALID_URL'), 'UNCERTAIN', 'REFUSED'],
  ])('because of %s is judged by whether it can have come through', (_, error, shows, otherwise) => {
    expect(uncertainUnlessUnsent(error)).toMatchObject({ code: shows, cause: error });
    expect(harmless(error)).toMatchObject({ code: otherwise, cause: error });
  });

  it('may be tried again when the host may be asked', () => {
    for (const code of ['HOST_BACKING_OFF', 'HOST_BUSY'] as const)
      expect(uncertainUnlessUnsent(failed(code)).until).toBe(until);
  });

  it('because it was broken off may have come through, unless it was harmless', () => {
    const stop = new Error('the process stops');
    expect(uncertainUnlessUnsent(stop)).toMatchObject({ code: 'UNCERTAIN', cause: stop });
    expect(harmless(stop)).toBe(stop);
  });

  it('that was judged already stays so', () => {
    const failure = new PublishFailure('REFUSED', 'no');
    expect(uncertainUnlessUnsent(failure)).toBe(failure);
    expect(harmless(failure)).toBe(failure);
  });
});

describe('an answer that is not the one asked for', () => {
  const answered = (status: number, retryAfter?: Date) => ({ status, retryAfter }) as HttpResponse;
  const place = 'The platform';

  it.each([
    [204, 'UNCERTAIN', 'UNAVAILABLE'],
    [302, 'UNCERTAIN', 'UNAVAILABLE'],
    [400, 'REFUSED', 'REFUSED'],
    [401, 'AUTH_ERROR', 'AUTH_ERROR'],
    [403, 'AUTH_ERROR', 'AUTH_ERROR'],
    [404, 'REFUSED', 'REFUSED'],
    [408, 'UNCERTAIN', 'UNREACHABLE'],
    [422, 'REFUSED', 'REFUSED'],
    [429, 'RATE_LIMITED', 'RATE_LIMITED'],
    [500, 'UNCERTAIN', 'UNREACHABLE'],
    [503, 'UNCERTAIN', 'UNREACHABLE'],
  ])('%i means %s for the call that shows a post, and %s for another', (status, shows, otherwise) => {
    expect(statusFailure(answered(status), { place }).code).toBe(shows);
    expect(statusFailure(answered(status), { place, effect: 'harmless' }).code).toBe(otherwise);
  });

  it('means what the words say where they say more', () => {
    const failure = statusFailure(answered(400), { place, code: 'RATE_LIMITED', words: 'slow down', until });
    expect(failure).toMatchObject({ code: 'RATE_LIMITED', message: 'The platform answered 400: slow down', until });
  });

  it('only asks to wait if it says for how long, unless the post may be there', () => {
    const failure = statusFailure(answered(503, until), { place, effect: 'harmless' });
    expect(failure).toMatchObject({ code: 'NOT_YET', until });
    expect(statusFailure(answered(503, until), { place })).toMatchObject({ code: 'UNCERTAIN', until });
  });

  it('ends at the time of Retry-After, or else when its limit is reset', () => {
    const soon = new Date('2029-01-01T00:00:00Z');
    expect(statusFailure(answered(429, soon), { place, until }).until).toBe(soon);
    expect(statusFailure(answered(429), { place, until }).until).toBe(until);
    expect(statusFailure(answered(400), { place, until }).until).toBeUndefined();
  });
});

describe("a platform's words", () => {
  it('are short, in one line, and can be stored', () => {
    expect(tidied(' a\u0000\n\n b\ud800 ')).toBe('a b\ufffd');
    expect(tidied('x'.repeat(100_000))).toHaveLength(300);
    expect(tidied('😀'.repeat(200)).isWellFormed()).toBe(true);
  });

  it('do not tell a secret, however it is written', () => {
    const secret = 'a "b"+c/d é';
    const words = [secret, JSON.stringify(secret), encodeURIComponent(secret), new URLSearchParams({ x: secret })];
    expect(tidied(words.join(' | '), [secret, undefined, '', 'x'])).toBe(
      '(hidden) | "(hidden)" | (hidden) | x=(hidden)',
    );
  });
});
