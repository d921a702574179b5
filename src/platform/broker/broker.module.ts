import { Global, Module } from '@nestjs/common';
import { Broker } from './broker.js';
import { DeadMessages } from './dead-messages.js';
import { Declarations } from './declarations.js';
import { Rpc } from './rpc.js';
import { RpcMetrics } from './rpc-metrics.js';
import { WorkerPresence } from './worker-presence.js';

@Global()
@Module({
  providers: [Broker, DeadMessages, Declarations, Rpc, RpcMetrics, WorkerPresence],
  exports: [Broker, DeadMessages, Declarations, Rpc, WorkerPresence],
})
export class BrokerModule {}
