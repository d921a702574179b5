import { type DynamicModule, Global, Module } from '@nestjs/common';
import { LOG } from '../log/log.js';
import { Broker } from './broker.js';
import { DeadMessages } from './dead-messages.js';
import { Declarations } from './declarations.js';
import { ManagementApi } from './management-api.js';
import { RabbitmqRpc } from './rabbitmq-rpc.js';
import { RpcMetrics } from './rpc-metrics.js';
import { WorkerPresence } from './worker-presence.js';
import { type CreateRpc, WorkerRpc } from './worker-rpc.js';

@Global()
@Module({})
export class BrokerModule {
  static on(createRpc: CreateRpc | undefined): DynamicModule {
    const rpc = createRpc
      ? { provide: WorkerRpc, useFactory: createRpc, inject: [RpcMetrics, LOG] }
      : { provide: WorkerRpc, useClass: RabbitmqRpc };
    return {
      module: BrokerModule,
      providers: [Broker, DeadMessages, Declarations, ManagementApi, RpcMetrics, WorkerPresence, rpc],
      exports: [Broker, DeadMessages, Declarations, ManagementApi, WorkerPresence, WorkerRpc],
    };
  }
}
