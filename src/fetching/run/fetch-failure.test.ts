import { describe, expect, it } from 'vitest';
import { type OutgoingRequestCode, OutgoingRequestError } from '../../platform/http/outgoing-request-error.js';
import { refusal } from '../fetchers/refusal.js';
import { failureOf } from './fetch-failure.js';

const systemError = (code: string) => Object.assign(new Error(code), { code });

describe('a request that failed', () => {
  it.each<[string, OutgoingRequestCode, Error | undefined, boolean]>([
    ['a reset', 'NETWORK_ERROR', systemError('ECONNRESET'), true],
    ['a connection closed in the middle', 'NETWORK_ERROR', systemError('UND_ERR_SOCKET'), true],
    ['a refused connection', 'NETWORK_ERROR', systemError('ECONNREFUSED'), true],
    ['a name that is not found', 'NETWORK_ERROR', systemError('ENOTFOUND'), true],
    ['a name server that does not answer', 'NETWORK_ERROR', systemError('EAI_AGAIN'), true],
    ['a name without an address', 'NETWORK_ERROR', undefined, true],
    ['a timeout', 'TIMEOUT', undefined, true],
    ['a certificate that has expired', 'NETWORK_ERROR', systemError('CERT_HAS_EXPIRED'), false],
    ['a body that cannot be decoded', 'NETWORK_ERROR', systemError('Z_DATA_ERROR'), false],
    ['too many redirects', 'TOO_MANY_REDIRECTS', undefined, false],
    ['a body that is too large', 'TOO_LARGE', undefined, false],
    ['an address that is refused', 'ADDRESS_REFUSED', undefined, false],
  ])('because of %s (%s) is retried: %4$s', (_why, code, cause, retryable) => {
    expect(failureOf(new OutgoingRequestError(code, 'failed', { cause }))).toMatchObject({ retryable });
  });

  it.each([
    [500, undefined, true],
    [502, undefined, true],
    [503, undefined, true],
    [503, new Date(), false],
    [500, new Date(), false],
    [429, undefined, false],
    [404, undefined, false],
    [410, undefined, false],
    [403, undefined, false],
  ])('with status %d and Retry-After %s is retried: %s', (status, retryAfter, retryable) => {
    const response = {
      status,
      retryAfter,
      url: 'https://site.example/feed',
      headers: {},
      body: Buffer.alloc(0),
      text: () => '',
      validators: {},
      redirects: [],
      permanentUrl: undefined,
    };
    expect(refusal(response)).toMatchObject({ retryable });
  });
});
