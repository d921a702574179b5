import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorAnswer } from '../errors/answer-problem.js';
import type { Problem } from '../errors/problem.js';
import { ControllerSettings } from './route-settings.js';

const PREFLIGHT_SECONDS = 86_400;

declare module 'fastify' {
  interface FastifyContextConfig {
    isForeignApi?: boolean;
  }
}

interface ForeignApiOptions {
  /** Errors in the format of that API, instead of problem documents. */
  errorAnswer: (problem: Problem) => ErrorAnswer;
}

/**
 * For controllers with an API that another product has defined. Pages of all origins may call it with the key of a
 * user, because its clients include static pages. Cookies are not sent with such requests.
 */
export const ForeignApi = ({ errorAnswer }: ForeignApiOptions) =>
  ControllerSettings({ isForeignApi: true, errorAnswer });

/** Register this before hooks that refuse requests, so that pages can read these answers, too. */
export function allowOtherOrigins(app: NestFastifyApplication): void {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  const preflights = new Set<string>();
  fastify.addHook('onRoute', ({ url, config }) => {
    if (!config?.isForeignApi || preflights.has(url)) return;
    preflights.add(url);
    fastify.options(url, { config: { isForeignApi: true } }, answerPreflight);
  });
  fastify.addHook('onRequest', async (request, { raw }) => {
    if (!request.routeOptions.config?.isForeignApi) return;
    raw.setHeader('Access-Control-Allow-Origin', '*');
    raw.setHeader('Access-Control-Expose-Headers', '*');
  });
}

async function answerPreflight(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await reply
    .status(204)
    .headers({
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, DELETE',
      'Access-Control-Allow-Headers': 'Authorization, X-Auth-Token, Content-Type, If-None-Match, If-Modified-Since',
      'Access-Control-Max-Age': PREFLIGHT_SECONDS,
    })
    .send();
}
