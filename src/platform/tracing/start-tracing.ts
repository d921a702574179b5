import type { Config } from '../config.js';
import type { Log } from '../log/log.js';

type TracingConfig = Pick<Config, 'tracesUrl' | 'serviceName' | 'tracePercent' | 'roles'>;

export async function startTracing(config: TracingConfig, log: Log): Promise<() => Promise<void>> {
  if (!config.tracesUrl) return async () => undefined;
  const { exportTraces } = await import('./export-traces.js');
  return exportTraces({ ...config, tracesUrl: config.tracesUrl }, log);
}
