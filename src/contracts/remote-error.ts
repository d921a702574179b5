import { z } from 'zod';
import { maybe } from './fields.js';

export const RemoteErrorCode = z.enum([
  'NETWORK_ERROR',
  'TIMEOUT_ERROR',
  'AUTH_ERROR',
  'PRIVATE_PROFILE',
  'NOT_FOUND',
  'RATE_LIMITED',
  'INVALID_COMMAND',
  'UNKNOWN_ERROR',
]);
export type RemoteErrorCode = z.infer<typeof RemoteErrorCode>;

/** Errors for which a retry a few seconds later may succeed, unless the worker says otherwise. */
const RETRYABLE: ReadonlySet<RemoteErrorCode> = new Set(['NETWORK_ERROR', 'TIMEOUT_ERROR', 'UNKNOWN_ERROR']);

export const RemoteError = z.object({
  code: RemoteErrorCode,
  message: z.string().max(10_000),
  /** `retryAfterSeconds`: how long the site asks to be left alone. */
  details: maybe(z.looseObject({ retryAfterSeconds: maybe(z.number().min(0).max(31_536_000)) })),
  retryable: maybe(z.boolean()),
});
export type RemoteError = z.infer<typeof RemoteError>;

export const isRetryable = ({ code, retryable }: RemoteError) => retryable ?? RETRYABLE.has(code);

/** Returns when to retry: at the time that the worker names, or soon if a retry may help, or at the usual time. */
export function askAgain(error: RemoteError, now: Date): { until?: Date; retryable: boolean } {
  const seconds = error.details?.retryAfterSeconds;
  if (seconds !== undefined) return { until: new Date(now.getTime() + seconds * 1_000), retryable: false };
  return { retryable: isRetryable(error) };
}
