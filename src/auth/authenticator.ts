import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CONFIG, type Config } from '../platform/config.js';
import { ApiError } from '../platform/errors/api-error.js';
import { withTimeout } from '../platform/time/with-timeout.js';
import { KeysStore } from './keys/keys.store.js';
import { FailedAttempts } from './limits/failed-attempts.js';
import { readSessionCookie, requestOrigin } from './sessions/session-cookie.js';
import { SessionsStore } from './sessions/sessions.store.js';
import { USER_SCOPES, type User } from './users/user.js';
import { UsersStore } from './users/users.store.js';

/** The id that the calling application gives to its user. */
export const ExternalId = z
  .string()
  .regex(/^[\w.@:+|/=-]{1,128}$/, 'up to 128 letters, digits and any of _ . @ : + | / = -');

export const READ_ONLY_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** An unresponsive database is reported after this time. */
const TIMEOUT_MS = 2_000;

@Injectable()
export class Authenticator {
  constructor(
    private readonly keys: KeysStore,
    private readonly sessions: SessionsStore,
    private readonly users: UsersStore,
    private readonly failed: FailedAttempts,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async caller(request: FastifyRequest): Promise<User> {
    const { authorization } = request.headers;
    return authorization === undefined ? this.bySession(request) : this.byKey(authorization, request.ip);
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
    const user = await this.known(address, key, () => this.keys.findUsable(key));
    if (!user) throw new ApiError('invalid_key', 'This key is unknown or has been revoked.');
    return user;
  }

  private async bySession(request: FastifyRequest): Promise<User> {
    const token = readSessionCookie(request);
    const user = token === undefined ? undefined : await this.known(request.ip, token, () => this.sessions.find(token));
    if (!user)
      throw new ApiError('authentication_required', 'Send a key as "Authorization: Bearer <key>", or sign in.');
    if (!READ_ONLY_METHODS.has(request.method) && requestOrigin(request.headers, this.config.publicUrl) !== 'ours') {
      throw new ApiError('cross_site_request', 'With a cookie, changes are accepted from our own pages only.');
    }
    return user;
  }

  private async known(address: string, secret: string, find: () => Promise<User | undefined>) {
    const user = await withTimeout(find(), TIMEOUT_MS);
    if (!user) await this.failed.count(address, secret);
    return user;
  }
}
