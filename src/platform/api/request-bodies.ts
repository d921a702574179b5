import { finished, Transform } from 'node:stream';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.js';
import { type JsonExcess, JsonScanner } from '../http/bounded-json.js';
import { decodeCharset } from '../http/decode-charset.js';
import { MemoryGuard } from '../process/memory-guard.js';
import { ThreadDied, ThreadTimeout } from '../threads/thread-error.js';
import { ThreadPool } from '../threads/thread-pool.js';
import { BodyBudget } from './body-budget.js';
import { type JsonBody, parseJsonBody } from './parse-json-body.js';
import { RouteSettings } from './route-settings.js';

export const BODY_LIMIT_BYTES = 65_536;
const ANYONES_BODY_LIMIT_BYTES = 4_096;
const LARGE_BODY_BYTES = 1_048_576;
/** A large body occupies about three times its size while it is parsed: as bytes, as text and as values. */
const LARGE_BODIES = new BodyBudget({ maxBytes: 64 * 1_048_576, maxPerOwner: 2 });

/** The largest documented body is an import of 200,000 feeds. */
const JSON_LIMITS = { maxDepth: 32, maxValues: 250_000, maxItems: 250_000 };
const TOO_MUCH: Record<JsonExcess, string> = {
  depth: `The body is nested more than ${JSON_LIMITS.maxDepth} levels deep.`,
  values: `The body has more than ${JSON_LIMITS.maxValues} values.`,
  items: `The body has a list of more than ${JSON_LIMITS.maxItems} values.`,
};

/** Larger JSON is parsed in a thread with limited memory, one body at a time. */
const MAX_INLINE_BYTES = 262_144;
const threads = new ThreadPool<Uint8Array, JsonBody>({
  module: new URL('./parse-json-body.thread.js', import.meta.url),
  size: 1,
  timeoutMs: 10_000,
  memoryMb: 384,
});

declare module 'fastify' {
  interface FastifyContextConfig {
    bodyLimit?: number;
    /** Callers without a key may send a body. Every other route identifies its caller before it reads one. */
    bodyFromAnyone?: boolean;
    acceptsForm?: boolean;
    /** Every body of this route has this type, whatever its header says, and a form keeps all values of a name. */
    assumedType?: AssumedType;
    acceptsXml?: boolean;
    acceptsCsv?: boolean;
    /** Refuse requests to this route while memory is low, as all requests with more than `BODY_LIMIT_BYTES`. */
    isHeavy?: boolean;
  }

  interface FastifyRequest {
    callerId?: string;
  }
}

export const AnyonesBody = ({ form = false } = {}) =>
  RouteSettings({ bodyLimit: ANYONES_BODY_LIMIT_BYTES, bodyFromAnyone: true, acceptsForm: form });

export const LargeBody = ({ maxBytes }: { maxBytes: number }) => RouteSettings({ bodyLimit: maxBytes });

const FORM_TYPE = 'application/x-www-form-urlencoded';
const XML_TYPES = ['application/xml', 'text/xml', 'text/x-opml'];
const ASSUMED_TYPES = { form: FORM_TYPE, json: 'application/json', xml: 'application/xml' } as const;
type AssumedType = keyof typeof ASSUMED_TYPES;

interface AssumedBodyOptions {
  maxBytes?: number;
  fromAnyone?: boolean;
}

/** For clients that send a wrong content type, or none, because the servers that they know ignore it. */
export const AssumedBody = (type: AssumedType, { maxBytes, fromAnyone = false }: AssumedBodyOptions = {}) =>
  RouteSettings({
    bodyLimit: maxBytes ?? (fromAnyone ? ANYONES_BODY_LIMIT_BYTES : BODY_LIMIT_BYTES),
    bodyFromAnyone: fromAnyone,
    assumedType: type,
    acceptsForm: type === 'form',
    acceptsXml: type === 'xml',
  });

export const DocumentBody = ({ maxBytes }: { maxBytes: number }) =>
  RouteSettings({ bodyLimit: maxBytes, acceptsXml: true, isHeavy: true });

export const TableBody = ({ maxBytes }: { maxBytes: number }) =>
  RouteSettings({ bodyLimit: maxBytes, acceptsCsv: true, isHeavy: true });

export const HeavyAnswer = () => RouteSettings({ isHeavy: true });

export function hasBody({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

export function readBodies(app: NestFastifyApplication): void {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  fastify.removeContentTypeParser('text/plain');
  fastify.addHook('onRoute', (route) => {
    if (route.config?.bodyLimit) route.bodyLimit = route.config.bodyLimit;
  });
  const memory = app.get(MemoryGuard);
  fastify.addHook('onRequest', async (request) => {
    if (memory.isLow && isHeavy(request)) throw closing(memory.refusal());
  });
  fastify.addHook('preParsing', async (request, reply, payload) => {
    if (!hasBody(request)) return payload;
    assumeType(request);
    reserveMemory(request, reply);
    if (request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue();
    return isJson(request) ? payload.pipe(limitedJson(payload)) : payload;
  });
  app.useBodyParser('application/json', { bodyLimit: BODY_LIMIT_BYTES }, (_request, body, done) => {
    readJson(body).then((value) => done(null, value), done);
  });
  app.useBodyParser(FORM_TYPE, {}, (request, body, done) => {
    const { acceptsForm, assumedType } = request.routeOptions.config;
    const parameters = new URLSearchParams(body.toString());
    if (acceptsForm) done(null, assumedType === 'form' ? parameters : Object.fromEntries(parameters));
    else done(new ApiError('unsupported_media_type', 'This path does not read forms.'));
  });
  app.useBodyParser(XML_TYPES, {}, (request, body, done) => {
    if (!request.routeOptions.config.acceptsXml)
      done(new ApiError('unsupported_media_type', 'This path does not read XML.'));
    else done(null, decodeCharset(Buffer.from(body), request.headers['content-type']));
  });
  app.useBodyParser('text/csv', {}, (request, body, done) => {
    if (!request.routeOptions.config.acceptsCsv)
      done(new ApiError('unsupported_media_type', 'This path does not read CSV.'));
    else done(null, decodeCharset(Buffer.from(body), request.headers['content-type']));
  });
}

function assumeType({ headers, routeOptions }: FastifyRequest): void {
  const { assumedType } = routeOptions.config;
  if (!assumedType) return;
  const charset = /;\s*charset=[^;]+/i.exec(headers['content-type'] ?? '')?.[0] ?? '';
  headers['content-type'] = `${ASSUMED_TYPES[assumedType]}${charset}`;
}

const isHeavy = (request: FastifyRequest) =>
  request.routeOptions.config?.isHeavy || (hasBody(request) && expectedBytes(request) > BODY_LIMIT_BYTES);

/** A body without a length may become as large as the route allows. */
const expectedBytes = ({ headers, routeOptions }: FastifyRequest) =>
  Number(headers['content-length'] ?? routeOptions.bodyLimit);

/** Routes that accept bodies from anyone have their own limits. */
function reserveMemory(request: FastifyRequest, reply: FastifyReply): void {
  const { bodyLimit: limit, config } = request.routeOptions;
  const bytes = expectedBytes(request);
  if (bytes > limit) throw closing(new ApiError('body_too_large', `The body may have ${limit} bytes at most.`));
  if (config.bodyFromAnyone || bytes <= LARGE_BODY_BYTES) return;
  const release = LARGE_BODIES.take(request.callerId ?? request.ip, bytes);
  if (!release) {
    const headers = { 'Retry-After': '1' };
    throw closing(new ApiError('overloaded', 'Other large requests are being read. Try again.', { headers }));
  }
  finished(reply.raw, release);
}

/** Closes the connection with the response, so that the rest of the body is not received. */
export function closing(error: ApiError): ApiError {
  error.headers.Connection = 'close';
  return error;
}

const isJson = ({ headers }: FastifyRequest) => /^\s*application\/json\b/i.test(headers['content-type'] ?? '');

function limitedJson(payload: NodeJS.ReadableStream): Transform {
  const scanner = new JsonScanner(JSON_LIMITS);
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const excess = scanner.read(chunk.toString('latin1'));
      if (excess) done(closing(new ApiError('body_too_large', TOO_MUCH[excess])));
      else done(null, chunk);
    },
  });
  payload.once('error', (error) => limited.destroy(error));
  // More of a body that is too large may still arrive, and an error without a listener would end the process.
  limited.on('error', () => undefined);
  return limited;
}

async function readJson(body: Buffer): Promise<unknown> {
  const parsed = body.length > MAX_INLINE_BYTES ? await parseInThread(body) : parseJsonBody(body);
  if ('problem' in parsed) throw new ApiError('malformed_json', parsed.problem);
  return parsed.value;
}

async function parseInThread(body: Buffer): Promise<JsonBody> {
  const { buffer, byteLength } = body;
  // A buffer that belongs to the body alone is transferred instead of copied.
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  const moved = isOwn ? new Uint8Array(buffer) : new Uint8Array(body);
  try {
    return await threads.run(moved, [moved.buffer]);
  } catch (error) {
    if (error instanceof ThreadTimeout || error instanceof ThreadDied)
      throw new ApiError('body_too_large', 'The body takes too much time or memory to read.');
    throw error;
  }
}
