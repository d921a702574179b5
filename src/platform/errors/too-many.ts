import { ApiError } from './api-error.js';

/** For who has used up what they may have at a time. */
export function tooMany(detail: string, msBeforeNext: number): ApiError {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new ApiError('rate_limited', detail, { headers: { 'Retry-After': String(seconds) } });
}
