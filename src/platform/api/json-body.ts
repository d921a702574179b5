import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiError } from '../errors/api-error.js';

export const BODY_LIMIT_BYTES = 1_048_576;

export function readJsonBodies(app: NestFastifyApplication): void {
  app.useBodyParser('application/json', { bodyLimit: BODY_LIMIT_BYTES }, (_request, body, done) => {
    try {
      done(null, parseJson(body.toString()));
    } catch (error) {
      done(new ApiError('malformed_json', `The body is not JSON: ${(error as Error).message}.`));
    }
  });
}

/** An empty body counts as none, because some clients declare JSON on every DELETE. */
function parseJson(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}
