import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Inject } from '@nestjs/common';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type ExhaustedResource, noteExhausted } from '../database/exhausted.js';
import { lostConnection } from '../database/lost-connection.js';
import { LOG, type Log } from '../log/log.js';
import { ApiError } from './api-error.js';
import { codeForStatus, type ErrorCode } from './error-codes.js';
import { PROBLEM_TYPE, type Problem, toProblem } from './problem.js';

const LOG_LEVELS: Partial<Record<ErrorCode, 'error' | 'warn'>> = {
  internal_error: 'error',
  not_ready: 'warn',
  connections_exhausted: 'warn',
  disk_full: 'error',
};
const EXHAUSTED: Record<ExhaustedResource, string> = {
  connections_exhausted: 'The database has no connection left for this request.',
  disk_full: 'The disk of the database is full; nothing can be stored.',
};

/** An error in the format of an API that another product has defined. */
export interface ErrorAnswer {
  status?: number;
  type: string;
  body: string;
  headers?: Record<string, string>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    errorAnswer?: (problem: Problem) => ErrorAnswer;
  }
}

@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(@Inject(LOG) private readonly log: Log) {}

  catch(thrown: unknown, host: ArgumentsHost) {
    answerProblem(thrown, host.switchToHttp().getResponse<FastifyReply>(), this.log);
  }
}

export function answerProblem(thrown: unknown, reply: FastifyReply, log: Log): void {
  const { request } = reply;
  const error = toApiError(thrown, request);
  if (error !== thrown) {
    const level = LOG_LEVELS[error.code] ?? 'debug';
    // Nest's message for an unknown route repeats the URL, whose query may contain a token.
    const facts = error.code === 'route_not_found' ? {} : { err: thrown };
    log[level]({ event: 'request_failed', ...facts, ...request.logFacts, method: request.method }, 'A request failed');
  }
  // A stream that breaks midway can only be cut off.
  if (reply.sent || reply.raw.headersSent) reply.raw.destroy();
  else sendProblem(reply, error);
}

export function sendProblem(reply: FastifyReply, error: ApiError): void {
  const { request } = reply;
  const problem = toProblem(error, request.id);
  const answer = request.routeOptions?.config?.errorAnswer?.(problem) ?? problemAnswer(problem);
  if (error.status === 401) reply.header('WWW-Authenticate', 'Bearer realm="millrace"');
  reply
    .status(answer.status ?? error.status)
    .headers(error.headers)
    .headers(answer.headers ?? {})
    .type(answer.type)
    .send(answer.body);
}

const problemAnswer = (problem: Problem): ErrorAnswer => ({ type: PROBLEM_TYPE, body: JSON.stringify(problem) });

function toApiError(thrown: unknown, request: FastifyRequest): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (isHttpError(thrown)) {
    const status = thrown instanceof HttpException ? thrown.getStatus() : (thrown.statusCode ?? 500);
    if (status === 404 && request.is404) return routeNotFound(request);
    if (status < 500) return new ApiError(codeForStatus(status), thrown.message);
  }
  if (thrown instanceof Error && thrown === request.raw.errored) {
    return new ApiError('bad_request', 'The connection ended before the body did.');
  }
  const exhausted = noteExhausted(thrown);
  if (exhausted) return new ApiError(exhausted, EXHAUSTED[exhausted]);
  if (lostConnection(thrown))
    return new ApiError('not_ready', 'A server that Millrace needs does not answer just now.');
  return new ApiError('internal_error', 'Something went wrong on our side; the log has it under this request id.');
}

function isHttpError(thrown: unknown): thrown is HttpException | FastifyError {
  return thrown instanceof HttpException || (thrown instanceof Error && thrown.name === 'FastifyError');
}

export function routeNotFound(request: FastifyRequest): ApiError {
  const path = request.url.split('?')[0];
  return new ApiError('route_not_found', `There is nothing at ${request.method} ${path}.`);
}
