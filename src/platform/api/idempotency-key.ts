import { ApiHeader } from '@nestjs/swagger';
import { z } from 'zod';
import { ApiError } from '../errors/api-error.js';

const IdempotencyKey = z.string().regex(/^[!-~]{1,200}$/, '1 to 200 printable ASCII characters, no spaces');

export const TakesIdempotencyKey = () =>
  ApiHeader({ name: 'Idempotency-Key', required: false, description: 'The same again is answered with the same' });

export function readIdempotencyKey(given: string | undefined): string | undefined {
  if (given === undefined || given === '') return undefined;
  const key = IdempotencyKey.safeParse(given);
  if (key.success) return key.data;
  const message = key.error.issues[0]?.message ?? '';
  throw new ApiError('validation_failed', `Idempotency-Key: ${message}`, {
    errors: [{ path: 'Idempotency-Key', message }],
  });
}
