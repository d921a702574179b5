import {
  type Attributes,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { redactText } from '../redact.js';

export interface Step {
  name: string;
  /** SERVER and CONSUMER start or continue a trace. All others are recorded only inside a trace. */
  kind?: keyof typeof SpanKind;
  attributes?: Attributes;
  cause?: string | undefined;
}

interface Begun {
  span: Span;
  context: Context;
}

let current: Tracer | undefined;

/** Undefined unless traces are exported. Libraries would find a tracer in OpenTelemetry's global. */
export const currentTracer = () => current;

export function useTracer(tracer: Tracer | undefined): void {
  current = tracer;
}

const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

export function traced<T>(step: Step, work: (span: Span) => Promise<T>): Promise<T> {
  const begun = begin(step);
  if (!begun) return work(NO_SPAN);
  const { span } = begun;
  return context.with(begun.context, async () => {
    try {
      return await work(span);
    } catch (error) {
      markFailed(span, errorType(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

export function begin(step: Step): Begun | undefined {
  const tracer = currentTracer();
  const from = tracer && origin(step);
  if (!tracer || !from) return undefined;
  const { name, kind = 'INTERNAL', attributes = {} } = step;
  const span = tracer.startSpan(name, { kind: SpanKind[kind], attributes: redacted(attributes) }, from);
  return { span, context: trace.setSpan(from, span) };
}

function redacted(attributes: Attributes): Attributes {
  const entries = Object.entries(attributes);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? redactText(value) : value]),
  );
}

export function isRecorded(): boolean {
  return trace.getActiveSpan()?.isRecording() ?? false;
}

function origin({ kind, cause }: Step): Context | undefined {
  if (kind !== 'SERVER' && kind !== 'CONSUMER') return isRecorded() ? context.active() : undefined;
  return cause ? propagation.extract(ROOT_CONTEXT, { traceparent: cause }) : ROOT_CONTEXT;
}

/** Records the type only. The message may contain values of a statement or of a remote response. */
export function markFailed(span: Span, type?: string): void {
  if (type) span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function errorType(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

export function traceparent(): string | undefined {
  const span = trace.getActiveSpan();
  if (!span || hasEnded(span)) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** A span that is not recorded has no end, and still tells others not to record. */
function hasEnded(span: Span & { ended?: boolean }): boolean {
  return span.ended === true;
}

export function traceFacts(span: Span | undefined): { traceId?: string } {
  const { traceId, ...rest } = span?.spanContext() ?? INVALID_SPAN_CONTEXT;
  return isSpanContextValid({ traceId, ...rest }) ? { traceId } : {};
}
