import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiError } from '../errors/api-error.js';

/** For a process without the API role: it answers probes and Prometheus only. */
export function serveHealthOnly(app: NestFastifyApplication): void {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', async (request) => {
      const { url } = request.routeOptions;
      if (url?.startsWith('/health/') || url === '/metrics') return;
      throw new ApiError(
        'route_not_found',
        'This process answers health checks and /metrics only; it has no api role.',
      );
    });
}
