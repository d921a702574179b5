import { type Context, context, trace } from '@opentelemetry/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { begin, markFailed, traceFacts } from '../tracing/traced.js';

declare module 'fastify' {
  interface FastifyRequest {
    traceContext: Context | undefined;
  }
}

/** Spans are named after routes, because paths may contain tokens. Probes and files are not traced. */
export function beginRequestTrace(request: FastifyRequest, reply: FastifyReply): { traceId?: string } {
  const { method, headers, id } = request;
  const route = request.routeOptions?.url;
  if (!route?.startsWith('/api/')) return {};
  const attributes = { 'http.request.method': method, 'http.route': route, 'request.id': id };
  const { traceparent } = headers;
  const cause = typeof traceparent === 'string' ? traceparent : undefined;
  const begun = begin({ name: `${method} ${route}`, kind: 'SERVER', attributes, cause });
  request.traceContext = begun?.context;
  if (begun) reply.raw.once('close', () => endRequestTrace(request, reply));
  return traceFacts(begun?.span);
}

/** Hooks continue in the context they were called in, so each hook that has left the context must restore it. */
export function inRequestTrace({ traceContext }: FastifyRequest, next: () => void): void {
  if (traceContext) context.with(traceContext, next);
  else next();
}

/** Ends the trace with the response, or at the beginning of a stream, which may last for days. */
export function endRequestTrace({ traceContext }: FastifyRequest, { raw }: FastifyReply): void {
  const span = traceContext && trace.getSpan(traceContext);
  if (!span?.isRecording()) return;
  if (raw.headersSent) span.setAttribute('http.response.status_code', raw.statusCode);
  // The client disconnected before it was answered, which is not our fault.
  else span.setAttribute('request.aborted', 'true');
  if (raw.headersSent && raw.statusCode >= 500) markFailed(span, String(raw.statusCode));
  span.end();
}
