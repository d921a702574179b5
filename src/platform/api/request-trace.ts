import { type Context, context, trace } from '@opentelemetry/api';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { begin, markFailed, traceFacts } from '../tracing/traced.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request does belongs to its trace in here; undefined if it has none. */
    traceContext: Context | undefined;
  }
}

/** Called like its route, since paths and queries can hold tokens. Probes, metrics and files of the page have no trace. */
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

/** Hooks go on where they are called, so that each that has left the context has to come back to it. */
export function inRequestTrace({ traceContext }: FastifyRequest, next: () => void): void {
  if (traceContext) context.with(traceContext, next);
  else next();
}

/** At the answer's end, or, for a stream that may last for days, at its beginning. */
export function endRequestTrace({ traceContext }: FastifyRequest, { raw }: FastifyReply): void {
  const span = traceContext && trace.getSpan(traceContext);
  if (!span?.isRecording()) return;
  if (raw.headersSent) span.setAttribute('http.response.status_code', raw.statusCode);
  // The client has left before it was answered, which is no fault of ours.
  else span.setAttribute('request.aborted', 'true');
  if (raw.headersSent && raw.statusCode >= 500) markFailed(span, String(raw.statusCode));
  span.end();
}
