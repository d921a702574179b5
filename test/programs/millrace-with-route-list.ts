import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { runMillrace } from '../../src/run-millrace.js';

export interface Route {
  method: string;
  url: string;
}

/** Made before any route, so it hears of all of them: those of controllers, of plug-ins and those made by hand. */
@Controller('routes')
class RoutesController {
  private readonly routes: Route[] = [];

  constructor(adapter: HttpAdapterHost) {
    const fastify: FastifyInstance = adapter.httpAdapter.getInstance();
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) this.routes.push({ method: each, url });
    });
  }

  @Get()
  list() {
    return this.routes;
  }
}

@Module({ controllers: [RoutesController] })
class RouteListModule {}

// The whole of Millrace, as src/main.ts runs it, which also says what it serves.
await runMillrace([RouteListModule]);
