import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../platform/errors/api-error.js';
import { AuthGuard } from '../auth.guard.js';
import type { KeyScope } from '../users/user.js';

/** Accepts a key or the cookie. People without either are redirected to the sign-in page and back. */
@Injectable()
export class BrowserGate {
  constructor(private readonly guard: AuthGuard) {}

  /** Returns whether the request is admitted. If not, the response has been sent. */
  async admit(request: FastifyRequest, reply: FastifyReply, needed: KeyScope): Promise<boolean> {
    try {
      await this.guard.admit(request, reply, needed);
      return true;
    } catch (error) {
      if (!isNobody(error) || !wantsPage(request)) throw error;
      // The status is explicit, because Nest has already set another one if a controller calls this.
      await reply.redirect(`/sign-in?next=${encodeURIComponent(request.url)}`, 302);
      return false;
    }
  }

  /** For routes outside of controllers. Metrics may also be read with a key of the scope `metrics`. */
  readonly admitAdmin = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const isMetrics = request.routeOptions.url === '/metrics';
    await this.admit(request, reply, isMetrics ? 'metrics' : 'admin');
  };
}

const isNobody = (error: unknown) => error instanceof ApiError && error.status === 401;

const wantsPage = ({ method, headers }: FastifyRequest) =>
  method === 'GET' && (headers.accept ?? '').includes('text/html');
