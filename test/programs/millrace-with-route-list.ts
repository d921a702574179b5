import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { runMillrace } from '../../src/run-millrace.js';

export interface Route {
  method: string;
  url: string;
}

/** Created before any route, so that it sees all: those of controllers, of plug-ins and those added by hand. */
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

// Runs the program as src/main.ts does, and prints the routes that it serves.
await runMillrace([RouteListModule]);
