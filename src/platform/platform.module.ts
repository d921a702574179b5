import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { BrokerModule } from './broker/broker.module.js';
import type { CreateRpc } from './broker/worker-rpc.js';
import { Cache } from './cache/cache.js';
import { CONFIG, type Config } from './config.js';
import { DATABASE_URL, Database } from './database/database.js';
import { DatabaseMetrics } from './database/database-metrics.js';
import { Events } from './events/events.js';
import { HealthFacts } from './health/health-facts.js';
import { HttpModule } from './http/http.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { LOG, type Log } from './log/log.js';
import { ServerConnection } from './log/server-connection.js';
import { Metrics } from './metrics/metrics.js';
import { EventLoopMonitor } from './process/event-loop-monitor.js';
import { Heap, MemoryGuard } from './process/memory-guard.js';
import { REDIS } from './redis.js';
import { Clock, ClockSynchronisation, SYNCHRONISED_CLOCK } from './time/clock.js';
import { Periodic } from './time/periodic.js';

export interface Foundations {
  config: Config;
  /** The URL of the configured or the embedded database. */
  databaseUrl: string;
  log: Log;
  /** Creates the client for workers. The default is RabbitMQ. */
  createRpc?: CreateRpc | undefined;
}

/** The services that every feature may inject. */
@Global()
@Module({})
export class PlatformModule implements OnApplicationShutdown {
  constructor(@Inject(REDIS) private readonly redis: Redis | undefined) {}

  onApplicationShutdown() {
    this.redis?.disconnect();
  }

  static on({ config, databaseUrl, log, createRpc }: Foundations): DynamicModule {
    const provided = [
      { provide: CONFIG, useValue: config },
      { provide: LOG, useValue: log },
      { provide: DATABASE_URL, useValue: databaseUrl },
      { provide: REDIS, useFactory: () => redisFor(config, log) },
      SYNCHRONISED_CLOCK,
      Cache,
      ClockSynchronisation,
      Database,
      DatabaseMetrics,
      Events,
      HealthFacts,
      Metrics,
      Periodic,
      EventLoopMonitor,
      Heap,
      MemoryGuard,
    ];
    return {
      module: PlatformModule,
      imports: [JobsModule, HttpModule, BrokerModule.on(createRpc)],
      providers: provided,
      exports: [
        CONFIG,
        LOG,
        REDIS,
        Cache,
        Clock,
        Database,
        Events,
        HealthFacts,
        HttpModule,
        Metrics,
        Periodic,
        EventLoopMonitor,
        MemoryGuard,
      ],
    };
  }
}

/** Timeouts in milliseconds. Requests wait for Redis, and a server that falls silent does not close the connection. */
const WAIT_OPTIONS = { commandTimeout: 500, socketTimeout: 2_000 };

function redisFor({ redisUrl }: Config, log: Log): Redis | undefined {
  if (!redisUrl) return undefined;
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 1, enableOfflineQueue: false, ...WAIT_OPTIONS });
  const server = new ServerConnection('Redis', log);
  redis.on('error', (error) => server.lost(error));
  redis.on('ready', () => server.restored());
  redis.on('end', () => server.close());
  return redis;
}
