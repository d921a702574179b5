import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { BrokerModule } from './broker/broker.module.js';
import type { CreateRpc } from './broker/worker-rpc.js';
import { Cache } from './cache/cache.js';
import { CONFIG, type Config } from './config.js';
import { DATABASE_URL, Database } from './database/database.js';
import { DatabaseMetrics } from './database/database-metrics.js';
import { Events } from './events/events.js';
import { HttpModule } from './http/http.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { LOG, type Log } from './log/log.js';
import { Metrics } from './metrics/metrics.js';
import { EventLoopMonitor } from './process/event-loop-monitor.js';
import { Heap, MemoryGuard } from './process/memory-guard.js';
import { connectRedis, REDIS } from './redis.js';
import { Clock, ClockSynchronisation, SYNCHRONISED_CLOCK } from './time/clock.js';
import { Periodic } from './time/periodic.js';

export interface Foundations {
  config: Config;
  databaseUrl: string;
  log: Log;
  createRpc?: CreateRpc | undefined;
}

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
      { provide: REDIS, useFactory: () => connectRedis(config, log) },
      SYNCHRONISED_CLOCK,
      Cache,
      ClockSynchronisation,
      Database,
      DatabaseMetrics,
      Events,
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
        HttpModule,
        Metrics,
        Periodic,
        EventLoopMonitor,
        MemoryGuard,
      ],
    };
  }
}
