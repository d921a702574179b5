import type { HttpResponse } from '../../platform/http/http-response.js';
import { FetchFailure, type FetchFailureCode } from '../fetcher.js';

/** A platform that asks for more is asked again after a day all the same. */
const MAX_WAIT_MS = 24 * 3_600_000;
const MAX_WORDS_LENGTH = 200;

const MEANINGS: Record<number, FetchFailureCode> = {
  401: 'AUTH_ERROR',
  403: 'PRIVATE_PROFILE',
  404: 'NOT_FOUND',
  410: 'GONE',
  429: 'RATE_LIMITED',
};

interface Refused {
  /** Where the platform's own words tell more than the status. */
  code?: FetchFailureCode | undefined;
  /** What the platform says about it. */
  words?: string | undefined;
  /** When its limit on requests starts anew, which it may tell with every answer; `Retry-After` is heeded anyway. */
  reset?: Date | undefined;
}

/** What an answer that is not the one asked for means. */
export function refusal(response: HttpResponse, { code, words = '', reset }: Refused = {}): FetchFailure {
  const { status, url, retryAfter } = response;
  const said = words.trim() && `: ${words.trim().slice(0, MAX_WORDS_LENGTH)}`;
  const meaning = code ?? meaningOf(response);
  const until = retryAfter ?? (status === 429 ? reset : undefined);
  return new FetchFailure(meaning, `${new URL(url).host} answered ${status}${said}`, {
    until,
    retryable: status >= 500 && !until,
  });
}

function meaningOf({ status, retryAfter }: HttpResponse): FetchFailureCode {
  if (status === 503 && retryAfter) return 'RATE_LIMITED';
  return MEANINGS[status] ?? (status >= 500 ? 'NETWORK_ERROR' : 'UNKNOWN_ERROR');
}

/** When a rate limit starts anew, as far as it can be believed. */
export function resetOf(at: Date, now: Date): Date | undefined {
  if (Number.isNaN(at.getTime())) return undefined;
  return new Date(Math.min(Math.max(at.getTime(), now.getTime()), now.getTime() + MAX_WAIT_MS));
}
