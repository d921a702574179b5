import { z } from 'zod';
import { redactText } from '../redact.js';
import type { ApiError } from './api-error.js';
import { ERROR_CODES } from './error-codes.js';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** The body of every error response (RFC 9457). */
export const Problem = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string(),
  errors: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
  requestId: z.string(),
});
export type Problem = z.infer<typeof Problem>;

export function toProblem(error: ApiError, requestId: string): Problem {
  return {
    type: `urn:millrace:error:${error.code}`,
    title: ERROR_CODES[error.code].title,
    status: error.status,
    code: error.code,
    detail: redactText(error.message),
    ...(error.errors && { errors: error.errors.map(({ path, message }) => ({ path, message: redactText(message) })) }),
    requestId,
  };
}
