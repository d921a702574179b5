import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Metrics } from '../metrics/metrics.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const STATUSES = ['2xx', '3xx', '4xx', '5xx'] as const;

/** Counts answered API requests. Streams are not counted, because they stay open as long as somebody listens. */
@Injectable()
export class ApiMetrics {
  private readonly requests;

  constructor(metrics: Metrics) {
    this.requests = metrics.histogram({
      name: 'api_request_duration_seconds',
      help: 'Requests to the API, from the first byte to the last, by their answer.',
      labels: ['method', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      known: { method: METHODS, status: STATUSES },
    });
  }

  count(request: FastifyRequest, reply: FastifyReply): void {
    const method = METHODS.find((known) => known === request.method);
    if (!method || !request.url.startsWith('/api/') || !reply.raw.headersSent || isStream(reply)) return;
    const status = STATUSES[Math.floor(reply.raw.statusCode / 100) - 2] ?? '5xx';
    this.requests.observe({ method, status }, reply.elapsedTime / 1_000);
  }
}

const isStream = ({ raw }: FastifyReply) => String(raw.getHeader('content-type')).startsWith('text/event-stream');
