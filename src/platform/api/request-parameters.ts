import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.js';

/**
 * The parameters of the query, followed by those of a form in the body (`@AssumedBody('form')`). Unknown ones are kept,
 * because clients of other products' servers send many that have no meaning here.
 */
export const RequestParameters = createParamDecorator((_: unknown, context: ExecutionContext): URLSearchParams => {
  const { url, body } = context.switchToHttp().getRequest<FastifyRequest>();
  const start = url.indexOf('?');
  const parameters = new URLSearchParams(start === -1 ? '' : url.slice(start));
  if (body instanceof URLSearchParams) for (const [name, value] of body) parameters.append(name, value);
  for (const [name, value] of parameters) {
    // PostgreSQL cannot store it.
    if (name.includes('\0') || value.includes('\0'))
      throw new ApiError('bad_request', 'A parameter has a NUL character.');
  }
  return parameters;
});
