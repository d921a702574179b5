import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { commandTopology } from '../../src/contracts/topology.js';
import { Broker } from '../../src/platform/broker/broker.js';
import { Declarations } from '../../src/platform/broker/declarations.js';
import { RabbitmqRpc } from '../../src/platform/broker/rabbitmq-rpc.js';
import { RpcMetrics } from '../../src/platform/broker/rpc-metrics.js';
import { WorkerPresence } from '../../src/platform/broker/worker-presence.js';
import { type Config, parseConfig } from '../../src/platform/config.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import type { LogLine } from '../harness/api.js';

/** The broker components of one process, as after a start. */
export function brokerParts(rabbitmqUrl: string, given: Partial<Config> = {}) {
  const config = { ...parseConfig({}), rabbitmqUrl, ...given };
  const lines: LogLine[] = [];
  const log = pino({ level: 'debug' }, { write: (line) => lines.push(JSON.parse(line)) });
  const broker = new Broker(config, log);
  const declarations = new Declarations(config, log, broker);
  const presence = new WorkerPresence(broker, declarations);
  const metrics = new Metrics(log);
  const rpc = new RabbitmqRpc(log, broker, declarations, presence, new RpcMetrics(metrics));
  declarations.want(commandTopology(config));
  declarations.onApplicationBootstrap();
  rpc.onApplicationBootstrap();
  onTestFinished(async () => {
    rpc.onModuleDestroy();
    await broker.onModuleDestroy();
    await broker.onApplicationShutdown();
  });
  return { broker, config, declarations, lines, presence, rpc, metrics };
}
