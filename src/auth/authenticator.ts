import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiError } from '../platform/errors/api-error.js';
import { AppAuthenticator } from './app-passwords/app-authenticator.js';
import { KeysStore } from './keys/keys.store.js';
import { FailedAttempts } from './limits/failed-attempts.js';
import { SessionAuthenticator } from './sessions/session-authenticator.js';
import { USER_SCOPES, type User } from './users/user.js';
import { UsersStore } from './users/users.store.js';

/** The id that the calling application gives to its user. */
export const ExternalId = z
  .string()
  .regex(/^[\w.@:+|/=-]{1,128}$/, 'up to 128 letters, digits and any of _ . @ : + | / = -');

@Injectable()
export class Authenticator {
  constructor(
    private readonly keys: KeysStore,
    private readonly sessions: SessionAuthenticator,
    private readonly users: UsersStore,
    private readonly failed: FailedAttempts,
    private readonly apps: AppAuthenticator,
  ) {}

  async caller(request: FastifyRequest): Promise<User> {
    if (request.routeOptions.config?.acceptsAppPasswords) return this.apps.caller(request);
    const { authorization } = request.headers;
    return authorization === undefined ? this.sessions.caller(request) : this.byKey(authorization, request.ip);
  }

  /** The user is created on first use. */
  async actingFor({ headers }: FastifyRequest, caller: User): Promise<User> {
    const header = headers['x-millrace-user'];
    if (header === undefined) return caller;
    if (caller.scope !== 'admin') {
      throw new ApiError('cannot_act_for_others', 'X-Millrace-User needs an admin key.');
    }
    const externalId = ExternalId.safeParse(header);
    if (!externalId.success) {
      const errors = externalId.error.issues.map(({ message }) => ({ path: 'X-Millrace-User', message }));
      throw new ApiError('validation_failed', `X-Millrace-User: ${errors[0]?.message}`, { errors });
    }
    const id = await this.users.ensure(externalId.data);
    return { id, scope: 'user', scopes: USER_SCOPES, keyId: caller.keyId };
  }

  private async byKey(authorization: string, address: string): Promise<User> {
    const key = /^Bearer +(\S{1,500})$/i.exec(authorization)?.[1];
    if (!key) throw new ApiError('authentication_required', 'The Authorization header is not "Bearer <key>".');
    const user = await this.failed.lookUp(address, key, () => this.keys.findUsable(key));
    if (!user) throw new ApiError('invalid_key', 'This key is unknown or has been revoked.');
    return user;
  }
}
