import 'reflect-metadata';
import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { runMillrace } from '../../src/run-millrace.js';

@Module({})
class StubbornModule implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost<FastifyAdapter>) {}

  onModuleInit() {
    // Nest bears what its own hooks throw, so it is the HTTP server that fails.
    this.host.httpAdapter.getInstance().addHook('onClose', async () => {
      throw new Error('this part does not want to end');
    });
  }
}

// The whole of Millrace with a part that fails when it is told to stop.
await runMillrace([StubbornModule]);
