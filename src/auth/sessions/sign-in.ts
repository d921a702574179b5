import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../../platform/config.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { KeysStore } from '../keys/keys.store.js';
import { RequestLimits } from '../limits/request-limits.js';
import type { User } from '../users/user.js';
import { requestOrigin, setSessionCookie } from './session-cookie.js';
import { SessionsStore } from './sessions.store.js';

@Injectable()
export class SignIn {
  constructor(
    private readonly keys: KeysStore,
    private readonly sessions: SessionsStore,
    private readonly limits: RequestLimits,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async withKey(key: string, request: FastifyRequest, reply: FastifyReply): Promise<User | undefined> {
    if (requestOrigin(request.headers, this.config.publicUrl) === 'foreign') {
      throw new ApiError('cross_site_request', 'Another site may not sign you in.');
    }
    const user = await this.keys.findUsable(key);
    if (user) await this.startSession(user.keyId, reply);
    else await this.limits.countFailedSignIn(request.ip);
    return user;
  }

  async withLink(token: string, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const keyId = await this.sessions.useLink(token);
    if (keyId) await this.startSession(keyId, reply);
    else await this.limits.countFailedSignIn(request.ip);
    return keyId !== undefined;
  }

  private async startSession(keyId: string, reply: FastifyReply): Promise<void> {
    setSessionCookie(reply, await this.sessions.start(keyId), this.config.publicUrl);
  }
}
