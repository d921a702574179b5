import { ERROR_CODES, type ErrorCode } from './error-codes.js';

export interface FieldError {
  path: string;
  message: string;
}

interface Extras {
  errors?: FieldError[];
  headers?: Record<string, string>;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly errors: FieldError[] | undefined;
  readonly headers: Record<string, string>;

  constructor(
    readonly code: ErrorCode,
    detail: string,
    { errors, headers = {} }: Extras = {},
  ) {
    super(detail);
    this.status = ERROR_CODES[code].status;
    this.errors = errors;
    this.headers = headers;
  }
}

export function tooMany(detail: string, msBeforeNext: number): ApiError {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new ApiError('rate_limited', detail, { headers: { 'Retry-After': String(seconds) } });
}
