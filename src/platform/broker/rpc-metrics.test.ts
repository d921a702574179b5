import { pino } from 'pino';
import { expect, it } from 'vitest';
import { MetricsText } from '../../../test/metrics/metrics-text.js';
import { Metrics } from '../metrics/metrics.js';
import { BrokerError, type BrokerErrorCode } from './broker-error.js';
import { RpcMetrics } from './rpc-metrics.js';

it.each<[BrokerErrorCode, string]>([
  ['NO_ANSWER', 'timeout'],
  ['NO_QUEUE', 'no_worker'],
  ['NO_WORKER', 'no_worker'],
  ['NOT_CONFIGURED', 'lost'],
  ['UNREACHABLE', 'lost'],
  ['ANSWER_TOO_LARGE', 'refused'],
])('a call that ends with %s is counted as %s, and fails as it did', async (code, outcome) => {
  const metrics = new Metrics(pino({ level: 'silent' }));
  const error = new BrokerError(code, 'it went wrong');
  await expect(new RpcMetrics(metrics).time('fetch.far', Promise.reject(error))).rejects.toBe(error);
  const text = new MetricsText(await metrics.render());
  expect(text.value('millrace_rpc_duration_seconds', { queue: 'fetch.far', outcome })).toBe(1);
});
