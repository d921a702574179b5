import { Global, Module } from '@nestjs/common';
import { Broker } from './broker.js';
import { Declarations } from './declarations.js';
import { Rpc } from './rpc.js';
import { WorkerPresence } from './worker-presence.js';

@Global()
@Module({
  providers: [Broker, Declarations, Rpc, WorkerPresence],
  exports: [Broker, Declarations, Rpc, WorkerPresence],
})
export class BrokerModule {}
