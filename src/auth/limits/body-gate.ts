import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { closing, hasBody } from '../../platform/api/request-bodies.js';
import { routeNotFound } from '../../platform/errors/answer-problem.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { AuthGuard } from '../auth.guard.js';

/** `AuthGuard` runs only after the body was parsed. A refused caller loses the connection, so no body is received. */
@Injectable()
export class BodyGate implements OnModuleInit {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly guard: AuthGuard,
  ) {}

  onModuleInit() {
    const fastify: FastifyInstance = this.adapter.httpAdapter.getInstance();
    fastify.addHook('onRequest', (request, reply) => this.check(request, reply));
  }

  private async check(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!hasBody(request)) return;
    const { url = '', config } = request.routeOptions;
    // The admin gate protects these paths unless the operator opened them.
    if (config?.bodyFromAnyone || url.startsWith('/admin/')) return;
    try {
      if (request.is404) throw routeNotFound(request);
      await this.guard.identify(request, reply);
    } catch (error) {
      throw error instanceof ApiError ? closing(error) : error;
    }
  }
}
