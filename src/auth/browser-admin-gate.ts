import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AdminGate } from '../platform/api/admin-gate.js';
import { BrowserGate } from './browser-gate.js';

/** Before pages for admins that are no controllers. */
@Injectable()
export class BrowserAdminGate extends AdminGate {
  constructor(private readonly gate: BrowserGate) {
    super();
  }

  async check(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.gate.admit(request, reply, { adminOnly: true });
  }
}
