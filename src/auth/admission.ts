import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Activity } from './activity.js';
import { Authenticator } from './authenticator.js';
import { RequestLimits } from './request-limits.js';
import { requireAdmin } from './require-admin.js';

/** The one way in: known, within limits, an admin where one is needed; only then is anything made or written. */
@Injectable()
export class Admission {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly limits: RequestLimits,
    private readonly activity: Activity,
  ) {}

  async admit(request: FastifyRequest, reply: FastifyReply, { adminOnly }: { adminOnly: boolean }): Promise<void> {
    const caller = await this.authenticator.caller(request);
    Object.assign(request.logFacts, { userId: caller.id, keyId: caller.keyId });
    await this.limits.countRequest(caller, reply);
    if (adminOnly) requireAdmin(caller, request.headers['x-millrace-user']);
    const user = await this.authenticator.actingFor(request, caller);
    request.user = user;
    request.logFacts.userId = user.id;
    this.activity.seen(user.id);
  }
}
