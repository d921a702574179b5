import type { Config } from '../config.js';
import type { Log } from '../log/log.js';

type TracingConfig = Pick<Config, 'tracesUrl' | 'serviceName' | 'tracePercent' | 'roles'>;

/** Returns a function that stops tracing. Without a URL for traces, OpenTelemetry's exporter is not loaded. */
export async function startTracing(config: TracingConfig, log: Log): Promise<() => Promise<void>> {
  if (!config.tracesUrl) return async () => undefined;
  const { exportTraces } = await import('./export-traces.js');
  return exportTraces({ ...config, tracesUrl: config.tracesUrl }, log);
}
