import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IS_PUBLIC } from '../platform/api/public.js';
import { Authenticator } from './authenticator.js';
import { CHANGES_NEED, IS_ADMIN_ONLY, requireAdmin, requireScope } from './keys/needs.js';
import { RevokedKeys } from './keys/revoked-keys.js';
import { RequestLimits } from './limits/request-limits.js';
import { READ_ONLY_METHODS } from './sessions/session-authenticator.js';
import { Activity } from './users/activity.js';
import type { KeyScope, User } from './users/user.js';

/** The caller must be known, within the limits and have the required scope before anything is created or written. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly limits: RequestLimits,
    private readonly activity: Activity,
    private readonly revokedKeys: RevokedKeys,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.mark<boolean>(context, IS_PUBLIC)) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    await this.admit(request, http.getResponse<FastifyReply>(), this.neededScope(context, request));
    return true;
  }

  async admit(request: FastifyRequest, reply: FastifyReply, needed: KeyScope): Promise<void> {
    const caller = request.caller ?? (await this.identify(request, reply));
    if (needed === 'admin') requireAdmin(caller, request.headers['x-millrace-user']);
    else requireScope(caller, needed);
    const user = await this.authenticator.actingFor(request, caller);
    request.user = user;
    request.logFacts.userId = user.id;
    this.activity.seen(user.id);
  }

  /** It reads only the headers, because the body may not have been received yet. */
  async identify(request: FastifyRequest, reply: FastifyReply): Promise<User> {
    const isApp = request.routeOptions.config?.acceptsAppPasswords === true;
    const caller = await this.authenticator.caller(request);
    if (!isApp) this.revokedKeys.watch(caller.keyId, reply.raw);
    request.caller = caller;
    request.callerId = caller.id;
    Object.assign(request.logFacts, { userId: caller.id, keyId: caller.keyId });
    if (isApp) await this.limits.countAppRequest(caller);
    else await this.limits.countRequest(caller, reply);
    return caller;
  }

  private neededScope(context: ExecutionContext, { method }: FastifyRequest): KeyScope {
    if (this.mark<boolean>(context, IS_ADMIN_ONLY)) return 'admin';
    if (READ_ONLY_METHODS.has(method)) return 'read';
    return this.mark<KeyScope>(context, CHANGES_NEED) ?? 'write';
  }

  private mark<Value>(context: ExecutionContext, name: string): Value | undefined {
    return this.reflector.getAllAndOverride<Value>(name, [context.getHandler(), context.getClass()]);
  }
}
