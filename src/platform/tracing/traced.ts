import { type Attributes, context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** Does nothing, and costs next to nothing, unless `Tracing` was started. */
const tracer = trace.getTracer('millrace');

export interface Step {
  name: string;
  kind?: keyof typeof SpanKind;
  attributes?: Attributes;
  /** The `traceparent` of what has led to it, where that came from another process. */
  cause?: string | undefined;
}

/** One step of a trace: a span that lasts as long as the work. What the work does is below it. */
export async function traced<T>(
  { name, kind = 'INTERNAL', attributes = {}, cause }: Step,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const parent = cause ? propagation.extract(context.active(), { traceparent: cause }) : context.active();
  return tracer.startActiveSpan(name, { kind: SpanKind[kind], attributes }, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.recordException(error as Error);
      span.setStatus({ code: SpanStatusCode.ERROR, message: String(error) });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Where we are, for another process to go on from; undefined where nothing is traced. */
export function traceparent(): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}
