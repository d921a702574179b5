import type { HttpResponse } from '../../platform/http/http-response.js';
import { FetchFailure, type FetchFailureCode } from '../fetcher.js';

const MAX_WAIT_MS = 24 * 3_600_000;
const MAX_WORDS_LENGTH = 200;

const MEANINGS: Record<number, FetchFailureCode> = {
  401: 'AUTH_ERROR',
  403: 'PRIVATE_PROFILE',
  404: 'NOT_FOUND',
  410: 'GONE',
  429: 'RATE_LIMITED',
};

interface RefusalDetails {
  code?: FetchFailureCode | undefined;
  words?: string | undefined;
  /** Reset time of the rate limit, which platforms may send with every response. `Retry-After` takes precedence. */
  reset?: Date | undefined;
}

export function refusal(response: HttpResponse, { code, words = '', reset }: RefusalDetails = {}): FetchFailure {
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

export function resetOf(at: Date, now: Date): Date | undefined {
  if (Number.isNaN(at.getTime())) return undefined;
  return new Date(Math.min(Math.max(at.getTime(), now.getTime()), now.getTime() + MAX_WAIT_MS));
}
