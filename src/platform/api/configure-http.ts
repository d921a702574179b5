import { VersioningType } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../config.js';
import { answerProblem } from '../errors/answer-problem.js';
import { ApiError } from '../errors/api-error.js';
import { LOG, type Log } from '../log/log.js';
import { ApiMetrics } from './api-metrics.js';
import { allowOtherOrigins } from './foreign-api.js';
import { serveOpenApi } from './openapi.js';
import { Readiness } from './readiness.js';
import { readBodies } from './request-bodies.js';
import { logRequest } from './request-log.js';

type AdmitAdmin = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

const ADMIN_ROUTES = { '/docs': 'docs', '/openapi.json': 'docs', '/admin': 'admin', '/metrics': 'metrics' } as const;

/** Call before `init` or `listen`. `admitAdmin` guards the routes outside of controllers, such as Swagger UI. */
export function configureHttp(app: NestFastifyApplication, admitAdmin: AdmitAdmin): void {
  app.enableVersioning({ type: VersioningType.URI, prefix: 'api/v', defaultVersion: '1' });
  allowOtherOrigins(app);
  readBodies(app);
  recordRequests(app);
  sendElsewhere(app);
  answerProblems(app);
  requireHost(app);
  refuseUnsupportedMethods(app);
  guardAdminRoutes(app, admitAdmin);
  serveOpenApi(app);
}

function recordRequests(app: NestFastifyApplication): void {
  const log = app.get<Log>(LOG);
  const metrics = app.get(ApiMetrics);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', async (request, reply) => {
      reply.raw.once('close', () => {
        logRequest(log, request, reply);
        metrics.count(request, reply);
      });
    });
}

/** Closes connections while this process stops, because a client would send its next request on the open one. */
function sendElsewhere(app: NestFastifyApplication): void {
  const readiness = app.get(Readiness);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', async (_request, reply) => {
      if (readiness.isLeaving) reply.raw.setHeader('Connection', 'close');
    });
}

/** Routes of plug-ins would answer in their own format, so the handler is set for each route. */
function answerProblems(app: NestFastifyApplication): void {
  const log = app.get<Log>(LOG);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRoute', (route) => {
      route.errorHandler = (error, _request, reply) => answerProblem(error, reply, log);
    });
}

function requireHost(app: NestFastifyApplication): void {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', async ({ headers, raw }) => {
      const hosts = raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
      // Node.js uses the first of several Host headers, but a proxy may have used the last.
      if (hosts > 1) throw new ApiError('bad_request', 'There is more than one Host header.');
      if (headers.host !== undefined || raw.httpVersion === '1.0') return;
      throw new ApiError('bad_request', 'The Host header is missing.');
    });
}

function refuseUnsupportedMethods(app: NestFastifyApplication): void {
  const allowed = new AllowedMethods();
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRoute', ({ url, method }) => allowed.add(url, method));
  fastify.addHook('onRequest', async (request) => {
    if (!request.is404) return;
    const methods = allowed.for(request.url.split('?')[0] ?? '');
    if (methods.length === 0 || methods.includes(request.method)) return;
    const Allow = methods.join(', ');
    throw new ApiError('method_not_allowed', `This path answers to ${Allow} only.`, { headers: { Allow } });
  });
}

function guardAdminRoutes(app: NestFastifyApplication, admitAdmin: AdmitAdmin): void {
  const config = app.get<Config>(CONFIG);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', async (request, reply) => {
      if (needsAdmin(request.routeOptions.url ?? '', config)) await admitAdmin(request, reply);
    });
}

function needsAdmin(route: string, { openPaths }: Pick<Config, 'openPaths'>): boolean {
  return Object.entries(ADMIN_ROUTES).some(
    ([path, name]) => (route === path || route.startsWith(`${path}/`)) && !openPaths.has(name),
  );
}

class AllowedMethods {
  private readonly methods = new Map<string, Set<string>>();

  add(route: string, methods: string | string[]): void {
    const known = this.methods.get(route) ?? new Set();
    for (const method of [methods].flat()) known.add(method);
    this.methods.set(route, known);
  }

  for(path: string): string[] {
    const found = [...this.methods].filter(([route]) => route !== '/*' && route !== '*' && matches(route, path));
    return [...new Set(found.flatMap(([, methods]) => [...methods]))].sort();
  }
}

function matches(route: string, path: string): boolean {
  const expected = route.split('/');
  const given = path.split('/');
  const rest = expected.indexOf('*');
  if (rest === -1 ? given.length !== expected.length : given.length <= rest) return false;
  return expected.every((part, index) => part === '*' || part.startsWith(':') || part === given[index]);
}
