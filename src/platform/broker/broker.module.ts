import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Broker } from './broker.js';
import { DeadMessages } from './dead-messages.js';
import { Declarations } from './declarations.js';
import { RabbitmqRpc, Rpc } from './rpc.js';
import { RpcMetrics } from './rpc-metrics.js';
import { WorkerPresence } from './worker-presence.js';

@Global()
@Module({})
export class BrokerModule {
  /** Workers are called through `rpc`, or over RabbitMQ without it. */
  static on(rpc: Rpc | undefined): DynamicModule {
    const calls = rpc ? { provide: Rpc, useValue: rpc } : { provide: Rpc, useClass: RabbitmqRpc };
    return {
      module: BrokerModule,
      providers: [Broker, DeadMessages, Declarations, RpcMetrics, WorkerPresence, calls],
      exports: [Broker, DeadMessages, Declarations, Rpc, WorkerPresence],
    };
  }
}
