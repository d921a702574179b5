import type { Tracer } from '@opentelemetry/api';

let current: Tracer | undefined;

/**
 * Undefined unless traces are exported. It is stored here and not in OpenTelemetry's global, where libraries would
 * find it.
 */
export const currentTracer = () => current;

export function useTracer(tracer: Tracer | undefined): void {
  current = tracer;
}
