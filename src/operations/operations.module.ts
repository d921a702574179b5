import { Module } from '@nestjs/common';
import { DeadLetterReplay } from './dead-letter-replay.js';
import { DeadLettersController } from './dead-letters.controller.js';
import { DeadLettersStore } from './dead-letters.store.js';
import { QueueReadiness } from './queue-readiness.js';

@Module({
  controllers: [DeadLettersController],
  providers: [DeadLettersStore, DeadLetterReplay, QueueReadiness],
})
export class OperationsModule {}
