import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyHttpOptions, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import { sendProblem } from '../errors/answer-problem.js';
import { ApiError } from '../errors/api-error.js';
import { codeForStatus, ERROR_CODES, type ErrorCode } from '../errors/error-codes.js';
import { PROBLEM_TYPE, toProblem } from '../errors/problem.js';
import { logContext } from '../log/log.js';
import { BODY_LIMIT_BYTES } from './request-bodies.js';
import { beginRequestTrace, inRequestTrace } from './request-trace.js';
import { securityHeaders } from './security-headers.js';

const SANE = /^[\w.:-]{1,100}$/;

const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

type ServerConfig = Pick<Config, 'publicUrl' | 'trustProxies' | 'shutdownMs'>;

/** Timeout of a whole request in milliseconds. A value below Node's timeout for headers would not apply. */
const REQUEST_MS = 60_000;
const IDLE_CHECK_MS = 50;
/** Maximum length of ids in characters. Other services name their scrape jobs; all other ids are short. */
const MAX_ID_LENGTH = 200;

/**
 * Clients may leave the version out of a path: `/api/feed` is `/api/v1/feed`. A path below a script such as
 * `/api/fever.php` belongs to the API of another product and has no version.
 */
const versioned = (url: string) =>
  url.replace(/^\/api\/(?!v\d+(?:[/?]|$)|\w+\.php(?:[/?]|$))|^\/(?=imports\/start(?:\?|$))/, '/api/v1/');

export function createHttpAdapter(config: ServerConfig): FastifyAdapter {
  const options: FastifyHttpOptions<Server> = {
    bodyLimit: BODY_LIMIT_BYTES,
    genReqId: requestId,
    rewriteUrl: ({ url = '/' }) => versioned(url),
    requestTimeout: REQUEST_MS,
    routerOptions: { maxParamLength: MAX_ID_LENGTH },
    // Node.js would refuse without a response body; `requireHost` sends one.
    http: { requireHostHeader: false },
    trustProxy: config.trustProxies.length ? config.trustProxies : false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      markAnswer(config, request, reply);
      refuseUnroutable(error, reply);
    },
    clientErrorHandler: (error, socket) => refuseBrokenHttp(error.code, socket),
  };
  const adapter = new FastifyAdapter(options);
  // The adapter's own hook runs before all others, so responses that those refuse are marked as well.
  adapter.setOnRequestHook((request, reply, done) => {
    markAnswer(config, request, reply);
    request.logFacts = { requestId: request.id, ...beginRequestTrace(request, reply) };
    inContext(request, done);
  });
  // Reading the body leaves the async context.
  adapter.getInstance().addHook('preValidation', (request, _reply, done) => inContext(request, done));
  deferExpectations(adapter.getInstance().server);
  cutConnectionsAtStop(adapter, config);
  return adapter;
}

function inContext(request: FastifyRequest, next: () => void): void {
  inRequestTrace(request, () => logContext.run(request.logFacts, next));
}

/** Node.js would request the body before the caller is known, and answer other expectations with an empty 417. */
function deferExpectations(server: Server): void {
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** A client that sends or reads slowly must not delay the stop for longer than a job may. */
function cutConnectionsAtStop(adapter: FastifyAdapter, { shutdownMs }: ServerConfig): void {
  const fastify = adapter.getInstance();
  fastify.addHook('preClose', async () => {
    setTimeout(() => fastify.server.closeAllConnections(), shutdownMs).unref();
    // Node.js closes connections that are idle now, and would wait for clients whose last request ends later.
    const becameIdle = setInterval(() => fastify.server.closeIdleConnections(), IDLE_CHECK_MS).unref();
    fastify.server.once('close', () => clearInterval(becameIdle));
  });
}

/** Sets headers on the raw response, so that streams written past Fastify have them too. */
function markAnswer(config: ServerConfig, request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.setHeader('X-Request-Id', request.id);
  for (const [name, value] of Object.entries(securityHeaders(config, request.routeOptions?.url))) {
    reply.raw.setHeader(name, value);
  }
}

function refuseUnroutable(error: FastifyError, reply: FastifyReply): void {
  sendProblem(reply, new ApiError(codeForStatus(error.statusCode ?? 400), error.message));
}

function refuseBrokenHttp(reason: string, socket: Socket): void {
  if (!socket.writable || reason === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const code = CODES[reason] ?? 'bad_request';
  const { status, title, meaning } = ERROR_CODES[code];
  const id = requestId({ headers: {} });
  const body = JSON.stringify(toProblem(new ApiError(code, meaning), id));
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  // `end` would wait for the other side to close as well, which it may never do.
  socket.destroySoon();
}

function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID();
}
