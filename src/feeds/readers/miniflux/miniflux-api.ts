import { applyDecorators, Controller, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { z } from 'zod';
import { AcceptsAppPasswords } from '../../../auth/app-passwords/app-authenticator.js';
import { ForeignApi } from '../../../platform/api/foreign-api.js';
import { ApiError } from '../../../platform/errors/api-error.js';
import type { Problem } from '../../../platform/errors/problem.js';

const errorAnswer = ({ detail }: Problem) => ({
  type: 'application/json; charset=utf-8',
  body: JSON.stringify({ error_message: detail }),
});

/** A controller of the REST API of Miniflux. */
export const MinifluxApi = () =>
  applyDecorators(
    ForeignApi({ errorAnswer }),
    AcceptsAppPasswords(),
    ApiExcludeController(),
    Controller({ path: 'v1', version: VERSION_NEUTRAL }),
  );

/** A JSON object. Fields without a meaning here are ignored, because clients send many. */
export const bodyOf = <T>(fields: z.ZodType<T>) =>
  z.record(z.string(), z.unknown()).pipe(fields as z.ZodType<T, never>);

export const notFound = () => new ApiError('not_found', 'Resource Not Found');
export const badRequest = (reason: string) => new ApiError('bad_request', reason);
