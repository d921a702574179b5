import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IS_PUBLIC } from '../platform/api/public.js';
import { Activity } from './activity.js';
import { IS_ADMIN_ONLY } from './admin-only.js';
import { Authenticator } from './authenticator.js';
import { RequestLimits } from './request-limits.js';
import { requireAdmin } from './require-admin.js';

/** Stands before every controller: known, within limits, seen, and an admin where one is needed. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly limits: RequestLimits,
    private readonly activity: Activity,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.isMarked(context, IS_PUBLIC)) return true;
    const http = context.switchToHttp();
    const user = await this.authenticator.authenticate(http.getRequest<FastifyRequest>());
    await this.limits.countRequest(user.keyId, http.getResponse<FastifyReply>());
    this.activity.seen(user.id);
    if (this.isMarked(context, IS_ADMIN_ONLY)) requireAdmin(user);
    return true;
  }

  private isMarked(context: ExecutionContext, mark: string): boolean {
    return this.reflector.getAllAndOverride<boolean>(mark, [context.getHandler(), context.getClass()]) ?? false;
  }
}
