import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import type { Config } from '../config.js';
import { sendProblem } from '../errors/answer-problem.js';
import { ApiError } from '../errors/api-error.js';
import { codeForStatus } from '../errors/error-codes.js';
import { logContext } from '../log/log-context.js';
import { refuseBrokenHttp } from './broken-http.js';
import { BODY_LIMIT_BYTES } from './json-body.js';
import { requestId } from './request-id.js';
import { securityHeaders } from './security-headers.js';

type PublicAddress = Pick<Config, 'publicUrl'>;

export function createHttpAdapter(config: PublicAddress): FastifyAdapter {
  const options: FastifyServerOptions = {
    bodyLimit: BODY_LIMIT_BYTES,
    genReqId: requestId,
    // A public address means that a proxy stands in front and tells whom it speaks for.
    trustProxy: config.publicUrl ? ['loopback', 'linklocal', 'uniquelocal'] : false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      markAnswer(config, request, reply);
      refuseUnroutable(error, reply);
    },
    clientErrorHandler: (error, socket) => refuseBrokenHttp(error.code, socket),
  };
  const adapter = new FastifyAdapter(options);
  // The adapter's own hook comes before all others, so that what those refuse is marked as well.
  adapter.setOnRequestHook((request, reply, done) => {
    markAnswer(config, request, reply);
    request.logFacts = { requestId: request.id };
    logContext.run(request.logFacts, done);
  });
  // Reading the body leaves the log context.
  adapter.getInstance().addHook('preValidation', (request, _reply, done) => logContext.run(request.logFacts, done));
  return adapter;
}

/** On the raw response, so that streams written past Fastify are marked too. */
function markAnswer(config: PublicAddress, request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.setHeader('X-Request-Id', request.id);
  for (const [name, value] of Object.entries(securityHeaders(config, request.routeOptions?.url))) {
    reply.raw.setHeader(name, value);
  }
}

/** For an address the router cannot read, which comes before any hook. */
function refuseUnroutable(error: FastifyError, reply: FastifyReply): void {
  sendProblem(reply, new ApiError(codeForStatus(error.statusCode ?? 400), error.message));
}
