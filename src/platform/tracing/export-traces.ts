import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
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
import { throttle } from './throttle.js';
import { useTracer } from './tracer.js';
import { tracesAddress } from './traces-address.js';

type ExportConfig = Pick<Config, 'serviceName' | 'tracePercent' | 'roles'> & { tracesUrl: string };

/** A trace is wanted while one still looks at what went wrong. */
const SEND_INTERVAL_MS = 2_000;
const SEND_MS = 3_000;
/** A collector that is away does not hold up the stop for longer. */
const STOP_MS = 3_000;
/** Characters: statements and the like are cut there. */
const MAX_VALUE_LENGTH = 2_000;
/** Spans that wait to be sent; what comes on top is dropped. About a kilobyte each. */
const MAX_WAITING = 10_000;
const TELL_INTERVAL_MS = 5 * 60_000;

/** Sends what `traced` records to the collector. Nothing fails or waits because of it: what cannot be sent is dropped. */
export function exportTraces(config: ExportConfig, log: Log): () => Promise<void> {
  const tell = (error: unknown) => log.warn({ err: error }, 'traces could not be sent and are dropped');
  setGlobalErrorHandler(throttle(TELL_INTERVAL_MS, tell));
  const provider = createProvider(config);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  useTracer(provider.getTracer('millrace', VERSION));
  return async () => {
    useTracer(undefined);
    const flushed = provider.shutdown().catch(() => log.warn('the last traces could not be sent'));
    await Promise.race([flushed, sleep(STOP_MS, undefined, { ref: false })]);
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
