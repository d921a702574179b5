import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import type { InjectOptions } from 'fastify';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { readAdminKey } from '../../src/auth/admin-key-file.js';
import { AuthModule } from '../../src/auth/auth.module.js';
import { FirstAdmin } from '../../src/auth/first-admin.js';
import { ApiModule } from '../../src/platform/api/api.module.js';
import { configureHttp } from '../../src/platform/api/configure-http.js';
import { createHttpAdapter } from '../../src/platform/api/http-adapter.js';
import { Clock } from '../../src/platform/clock.js';
import { type Config, parseConfig } from '../../src/platform/config.js';
import { CONFIG } from '../../src/platform/config.token.js';
import { DATABASE_URL, Database } from '../../src/platform/database/database.js';
import { LOG } from '../../src/platform/log/log.token.js';
import { logContext } from '../../src/platform/log/log-context.js';
import { REDIS } from '../../src/platform/redis.js';

/** A clock that stands still until it is told otherwise. */
export class TestClock extends Clock {
  private time = Date.now();

  override now() {
    return new Date(this.time);
  }

  advance(ms: number) {
    this.time += ms;
  }
}

interface Wanted {
  databaseUrl: string;
  config?: Partial<Config>;
  controllers?: Type[];
  redis?: Redis;
  /** Adds routes that are no controllers, as bull-board is added. */
  extend?: (app: NestFastifyApplication) => Promise<unknown>;
}

export type LogLine = Record<string, unknown> & { msg: string };

/** The API and its users on a real database, with controllers of the test's own beside it; asked through `send`. */
export async function startApi(wanted: Wanted) {
  const dataDir = await mkdtemp(join(tmpdir(), 'millrace-api-'));
  const config = { ...parseConfig({}), dataDir, ...wanted.config };
  const clock = new TestClock();
  const lines: LogLine[] = [];
  const log = pino({ mixin: () => ({ ...logContext.getStore() }) }, { write: (line) => lines.push(JSON.parse(line)) });

  const provided = [
    { provide: CONFIG, useValue: config },
    { provide: LOG, useValue: log },
    { provide: Clock, useValue: clock },
    { provide: DATABASE_URL, useValue: wanted.databaseUrl },
    { provide: REDIS, useFactory: () => wanted.redis },
    Database,
  ];
  const module = await Test.createTestingModule({
    imports: [foundations(provided), ApiModule, AuthModule],
    controllers: wanted.controllers ?? [],
  }).compile();
  const app = module.createNestApplication<NestFastifyApplication>(createHttpAdapter(config), { logger: false });
  configureHttp(app);
  await wanted.extend?.(app);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  await app.get(FirstAdmin).ensure();
  const adminKey = (await readAdminKey(dataDir)) ?? '';

  return {
    app,
    adminKey,
    clock,
    config,
    lines,
    send: (request: InjectOptions & { key?: string }) => send(app, request),
    async stop() {
      await app.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type Api = Awaited<ReturnType<typeof startApi>>;

async function send(app: NestFastifyApplication, { key, ...request }: InjectOptions & { key?: string }) {
  const headers = { ...request.headers, ...(key && { authorization: `Bearer ${key}` }) };
  return app.inject({ method: 'GET', ...request, headers });
}

@Global()
@Module({})
class Foundations {}

function foundations(providers: NonNullable<DynamicModule['providers']>): DynamicModule {
  return { module: Foundations, providers, exports: [CONFIG, LOG, Clock, REDIS, Database] };
}
