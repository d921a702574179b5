import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AdminGate } from '../platform/api/admin-gate.js';
import { ApiError } from '../platform/errors/api-error.js';
import { Admission } from './admission.js';

/** Accepts a key or the cookie; people who have neither are sent to sign in and come back. */
@Injectable()
export class BrowserAdminGate extends AdminGate {
  constructor(private readonly admission: Admission) {
    super();
  }

  async check(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    try {
      await this.admission.admit(request, reply, { adminOnly: true });
    } catch (error) {
      if (!isNobody(error) || !wantsPage(request)) throw error;
      await reply.redirect(`/sign-in?next=${encodeURIComponent(request.url)}`);
    }
  }
}

const isNobody = (error: unknown) => error instanceof ApiError && error.status === 401;

const wantsPage = ({ method, headers }: FastifyRequest) =>
  method === 'GET' && (headers.accept ?? '').includes('text/html');
