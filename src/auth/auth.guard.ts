import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IS_PUBLIC } from '../platform/api/public.js';
import { IS_ADMIN_ONLY } from './admin-only.js';
import { Admission } from './admission.js';

/** Stands before every controller. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly admission: Admission,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.isMarked(context, IS_PUBLIC)) return true;
    const http = context.switchToHttp();
    const adminOnly = this.isMarked(context, IS_ADMIN_ONLY);
    await this.admission.admit(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), { adminOnly });
    return true;
  }

  private isMarked(context: ExecutionContext, mark: string): boolean {
    return this.reflector.getAllAndOverride<boolean>(mark, [context.getHandler(), context.getClass()]) ?? false;
  }
}
