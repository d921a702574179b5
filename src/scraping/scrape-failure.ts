import { OutgoingRequestError } from '../platform/http/outgoing-request-error.js';
import { ScrapeFailure } from './scraper.js';

const RETRYABLE = new Set<OutgoingRequestError['code']>(['NETWORK_ERROR', 'TIMEOUT', 'HOST_BUSY']);

/** What went wrong as something that the job's owner can be told. Other errors are mistakes of ours: undefined. */
export function failureOf(error: unknown): ScrapeFailure | undefined {
  if (error instanceof ScrapeFailure) return error;
  if (!(error instanceof OutgoingRequestError)) return undefined;
  const { code, message, until } = error;
  return new ScrapeFailure(message, { cause: error, retryable: RETRYABLE.has(code), until });
}
