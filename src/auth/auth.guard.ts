import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IS_PUBLIC } from '../platform/api/public.js';
import { Admission } from './admission.js';
import { READ_ONLY_METHODS } from './authenticator.js';
import { CHANGES_NEED, IS_ADMIN_ONLY } from './keys/needs.js';
import type { KeyScope } from './users/user.js';

/** Runs before every controller. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly admission: Admission,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.mark<boolean>(context, IS_PUBLIC)) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    await this.admission.admit(request, http.getResponse<FastifyReply>(), this.neededScope(context, request));
    return true;
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
