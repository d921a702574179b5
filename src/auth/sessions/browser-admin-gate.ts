import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AdminGate } from '../../platform/api/admin-gate.js';
import { BrowserGate } from './browser-gate.js';

/** Protects what is not a controller: admin pages, and metrics, which a key with the scope `metrics` may read. */
@Injectable()
export class BrowserAdminGate extends AdminGate {
  constructor(private readonly gate: BrowserGate) {
    super();
  }

  async check(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const isMetrics = request.routeOptions.url === '/metrics';
    await this.gate.admit(request, reply, isMetrics ? 'metrics' : 'admin');
  }
}
