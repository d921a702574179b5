import { OutgoingRequestError } from '../platform/http/outgoing-request-error.js';
import { ScrapeFailure } from './scraper.js';

const RETRYABLE = new Set<OutgoingRequestError['code']>(['NETWORK_ERROR', 'TIMEOUT', 'HOST_BUSY']);

/** Converts an error to a failure that the job's owner may read. Returns undefined for bugs of ours. */
export function failureOf(error: unknown): ScrapeFailure | undefined {
  if (error instanceof ScrapeFailure) return error;
  if (!(error instanceof OutgoingRequestError)) return undefined;
  const { code, message, until } = error;
  return new ScrapeFailure(message, { cause: error, retryable: RETRYABLE.has(code), until });
}
