import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../../platform/config.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { FailedAttempts } from '../limits/failed-attempts.js';
import type { User } from '../users/user.js';
import { readSessionCookie, requestOrigin } from './session-cookie.js';
import { SessionsStore } from './sessions.store.js';

export const READ_ONLY_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

@Injectable()
export class SessionAuthenticator {
  constructor(
    private readonly sessions: SessionsStore,
    private readonly failed: FailedAttempts,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async caller(request: FastifyRequest): Promise<User> {
    const token = readSessionCookie(request);
    const user = token && (await this.failed.lookUp(request.ip, token, () => this.sessions.find(token)));
    if (!user)
      throw new ApiError('authentication_required', 'Send a key as "Authorization: Bearer <key>", or sign in.');
    if (!READ_ONLY_METHODS.has(request.method) && requestOrigin(request.headers, this.config.publicUrl) !== 'ours') {
      throw new ApiError('cross_site_request', 'With a cookie, changes are accepted from our own pages only.');
    }
    return user;
  }
}
