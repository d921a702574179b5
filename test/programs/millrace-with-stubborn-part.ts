import 'reflect-metadata';
import { Module, type OnModuleDestroy } from '@nestjs/common';
import { runMillrace } from '../../src/run-millrace.js';

@Module({})
class StubbornModule implements OnModuleDestroy {
  onModuleDestroy() {
    throw new Error('this part does not want to end');
  }
}

// The whole of Millrace with a part that fails when it is told to stop.
await runMillrace([StubbornModule]);
