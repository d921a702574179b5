import { hostname } from 'node:os';
import { context, propagation } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Config } from '../config.js';
import type { Log } from '../log/log.js';
import { VERSION } from '../process/version.js';
import { withTimeout } from '../time/with-timeout.js';
import { useTracer } from './traced.js';

type ExportConfig = Pick<Config, 'serviceName' | 'tracePercent' | 'roles'> & { tracesUrl: string };

/** Spans are sent this often, in milliseconds, so that a trace is available while somebody still investigates. */
const SEND_INTERVAL_MS = 2_000;
const SEND_MS = 3_000;
/** An unreachable collector delays the stop for this long at most, in milliseconds. */
const STOP_MS = 3_000;
const MAX_VALUE_LENGTH = 2_000;
/** Maximum number of spans that wait to be sent. Further ones are dropped. A span has about a kilobyte. */
const MAX_WAITING = 10_000;
const LOG_INTERVAL_MS = 5 * 60_000;

/** Nothing fails or waits because of the collector: spans that cannot be sent are dropped. */
export function exportTraces(config: ExportConfig, log: Log): () => Promise<void> {
  const logFailure = (error: unknown) =>
    log.warn({ event: 'trace_export_failed', err: error }, 'Traces could not be sent and are dropped');
  setGlobalErrorHandler(throttle(LOG_INTERVAL_MS, logFailure));
  const provider = createProvider(config);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  useTracer(provider.getTracer('millrace', VERSION));
  return async () => {
    useTracer(undefined);
    const flushed = provider
      .shutdown()
      .catch(() => log.warn({ event: 'trace_flush_failed' }, 'The last traces could not be sent'));
    await withTimeout(flushed, STOP_MS, () => undefined);
    context.disable();
    propagation.disable();
  };
}

function createProvider({ tracesUrl, serviceName, tracePercent, roles }: ExportConfig): TracerProvider {
  const exporter = new OTLPTraceExporter({ url: tracesAddress(tracesUrl), timeoutMillis: SEND_MS });
  return new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': VERSION,
      'service.instance.id': `${hostname()}-${process.pid}`,
      'host.name': hostname(),
      'process.pid': process.pid,
      'millrace.roles': [...roles],
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(tracePercent / 100) }),
    spanLimits: { attributeValueLengthLimit: MAX_VALUE_LENGTH },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: SEND_INTERVAL_MS,
        exportTimeoutMillis: SEND_MS,
        maxQueueSize: MAX_WAITING,
      }),
    ],
  });
}

export function tracesAddress(base: string): string {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/traces`;
  return url.href;
}

export function throttle<What>(ms: number, report: (what: What) => void, now: () => number = Date.now) {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (what: What): void => {
    if (now() - reportedAt < ms) return;
    reportedAt = now();
    report(what);
  };
}
