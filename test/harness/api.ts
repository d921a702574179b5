import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import type { InjectOptions } from 'fastify';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { AuthModule } from '../../src/auth/auth.module.js';
import { FirstAdmin } from '../../src/auth/keys/first-admin.js';
import { BrowserGate } from '../../src/auth/sessions/browser-gate.js';
import { ApiModule } from '../../src/platform/api/api.module.js';
import { configureHttp } from '../../src/platform/api/configure-http.js';
import { createHttpAdapter } from '../../src/platform/api/http-adapter.js';
import { type Config, parseConfig } from '../../src/platform/config.js';
import { readAdminKey } from '../../src/platform/data-folder/data-folder.js';
import { LOG_OPTIONS } from '../../src/platform/log/log.js';
import { PlatformModule } from '../../src/platform/platform.module.js';
import { REDIS } from '../../src/platform/redis.js';
import { Clock } from '../../src/platform/time/clock.js';

/** A clock that the test sets. */
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
  /** Feature modules in addition to auth. */
  modules?: Type[];
  controllers?: Type[];
  redis?: Redis;
  /** Adds routes that are not controllers, as bull-board does. */
  extend?: (app: NestFastifyApplication) => Promise<unknown>;
}

export type LogLine = Record<string, unknown> & { msg: string };

/** Serves the API with its users on a real database, with the controllers of the test. Requests are made with `send`. */
export async function startApi(wanted: Wanted) {
  const dataDir = await mkdtemp(join(tmpdir(), 'millrace-api-'));
  // Canaries and icons are off unless a test asks for them, because they would cost more than the code under test.
  const config = {
    ...parseConfig({ MILLRACE_ALERT_STALL: '1h' }),
    canaryMs: 600_000,
    icons: 'off' as const,
    dataDir,
    ...wanted.config,
  };
  const clock = new TestClock();
  const lines: LogLine[] = [];
  const log = pino(LOG_OPTIONS, { write: (line) => lines.push(JSON.parse(line)) });

  const testing = Test.createTestingModule({
    imports: [
      PlatformModule.on({ config, databaseUrl: wanted.databaseUrl, log }),
      ApiModule,
      AuthModule,
      ...(wanted.modules ?? []),
    ],
    controllers: wanted.controllers ?? [],
  });
  testing.overrideProvider(Clock).useValue(clock);
  if (wanted.redis) testing.overrideProvider(REDIS).useValue(wanted.redis);
  const module = await testing.compile();
  const app = module.createNestApplication<NestFastifyApplication>(createHttpAdapter(config), { logger: false });
  configureHttp(app, app.get(BrowserGate).admitAdmin);
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
