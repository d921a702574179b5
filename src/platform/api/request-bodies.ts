import { type NestFastifyApplication, RouteConfig } from '@nestjs/platform-fastify';
import { ApiError } from '../errors/api-error.js';
import { decodeCharset } from '../http/decode-charset.js';

export const BODY_LIMIT_BYTES = 1_048_576;
/** Ample for a key. */
const STRANGERS_BODY_LIMIT_BYTES = 4_096;

declare module 'fastify' {
  interface FastifyContextConfig {
    bodyLimit?: number;
    acceptsForm?: boolean;
    acceptsXml?: boolean;
  }
}

/** For routes that take a body from anybody. */
export const StrangersBody = ({ form = false } = {}) =>
  RouteConfig({ bodyLimit: STRANGERS_BODY_LIMIT_BYTES, acceptsForm: form });

const XML_TYPES = ['application/xml', 'text/xml', 'text/x-opml'];

/** For routes that take a document, as XML or within JSON. The handler gets XML as text. */
export const DocumentBody = ({ mostBytes }: { mostBytes: number }) =>
  RouteConfig({ bodyLimit: mostBytes, acceptsXml: true });

/** JSON everywhere, forms and XML where a route says so, nothing else. */
export function readBodies(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.removeContentTypeParser('text/plain');
  fastify.addHook('onRoute', (route) => {
    if (route.config?.bodyLimit) route.bodyLimit = route.config.bodyLimit;
  });
  app.useBodyParser('application/json', { bodyLimit: BODY_LIMIT_BYTES }, (_request, body, done) => {
    try {
      done(null, parseJson(body.toString()));
    } catch (error) {
      done(new ApiError('malformed_json', `The body is not JSON: ${(error as Error).message}.`));
    }
  });
  app.useBodyParser('application/x-www-form-urlencoded', {}, (request, body, done) => {
    if (request.routeOptions.config.acceptsForm) done(null, Object.fromEntries(new URLSearchParams(body.toString())));
    else done(new ApiError('unsupported_media_type', 'This path does not read forms.'));
  });
  app.useBodyParser(XML_TYPES, {}, (request, body, done) => {
    if (!request.routeOptions.config.acceptsXml)
      done(new ApiError('unsupported_media_type', 'This path does not read XML.'));
    else done(null, decodeCharset(Buffer.from(body), request.headers['content-type']));
  });
}

/** An empty body counts as none, because some clients declare JSON on every DELETE. */
function parseJson(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}
