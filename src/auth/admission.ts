import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticator } from './authenticator.js';
import { requireAdmin, requireScope } from './keys/needs.js';
import { RevokedKeys } from './keys/revoked-keys.js';
import { RequestLimits } from './limits/request-limits.js';
import { Activity } from './users/activity.js';
import type { KeyScope, User } from './users/user.js';

/**
 * Admits requests. The caller must be known, within the limits and have the required scope before anything is created
 * or written.
 */
@Injectable()
export class Admission {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly limits: RequestLimits,
    private readonly activity: Activity,
    private readonly revokedKeys: RevokedKeys,
  ) {}

  async admit(request: FastifyRequest, reply: FastifyReply, needed: KeyScope): Promise<void> {
    const caller = request.caller ?? (await this.identify(request, reply));
    if (needed === 'admin') requireAdmin(caller, request.headers['x-millrace-user']);
    else requireScope(caller, needed);
    const user = await this.authenticator.actingFor(request, caller);
    request.user = user;
    request.logFacts.userId = user.id;
    this.activity.seen(user.id);
  }

  /** Finds the owner of the key or session and counts the request. It reads only the headers. */
  async identify(request: FastifyRequest, reply: FastifyReply): Promise<User> {
    const caller = await this.authenticator.caller(request);
    this.revokedKeys.watch(caller.keyId, reply.raw);
    request.caller = caller;
    request.callerId = caller.id;
    Object.assign(request.logFacts, { userId: caller.id, keyId: caller.keyId });
    await this.limits.countRequest(caller, reply);
    return caller;
  }
}
