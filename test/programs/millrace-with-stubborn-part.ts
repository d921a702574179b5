import 'reflect-metadata';
import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { runMillrace } from '../../src/run-millrace.js';

@Module({})
class StubbornModule implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost<FastifyAdapter>) {}

  onModuleInit() {
    // Nest catches errors of its own hooks, so the HTTP server must fail.
    this.host.httpAdapter.getInstance().addHook('onClose', async () => {
      throw new Error('this part does not want to end');
    });
  }
}

// Runs the program with a component that fails when it is stopped.
await runMillrace([StubbornModule]);
