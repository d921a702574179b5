import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CONFIG, type Config } from '../config.js';
import { Database } from '../database/database.js';
import { CanaryListener } from './canary.js';
import { DueRowCounts } from './due-rows.js';
import { queueNames } from './job-catalogue.js';
import { JobHandlers } from './job-handler.js';
import { JobStatistics } from './job-statistics.js';
import { JobWorkers } from './job-worker.js';
import { Jobs } from './jobs.js';
import { PoolMetrics, PoolPauses, WorkerPools } from './process-pools.js';
import { Quarantine } from './quarantine.js';
import { createQueueBackend, QUEUE_BACKEND, type QueueBackend } from './queue-backend.js';
import { RunHistory } from './runs/run-history.js';
import { RunHistoryRetention } from './runs/run-history-retention.js';
import { RunMetrics } from './runs/run-metrics.js';
import { RunRecords } from './runs/run-records.js';
import { RunsStore } from './runs/runs.store.js';
import { Sweep } from './sweep.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    {
      provide: QUEUE_BACKEND,
      inject: [CONFIG, Database],
      useFactory: (config: Config, database: Database) =>
        createQueueBackend({ databaseUrl: database.url, redisUrl: config.redisUrl, names: queueNames(config) }),
    },
    JobHandlers,
    DueRowCounts,
    Jobs,
    JobStatistics,
    RunMetrics,
    RunHistory,
    RunHistoryRetention,
    RunRecords,
    RunsStore,
    CanaryListener,
    Sweep,
    Quarantine,
    JobWorkers,
    PoolPauses,
    WorkerPools,
    PoolMetrics,
  ],
  exports: [QUEUE_BACKEND, CanaryListener, DueRowCounts, JobHandlers, Jobs, RunHistory, RunsStore, Sweep, WorkerPools],
})
export class JobsModule implements OnApplicationShutdown {
  constructor(@Inject(QUEUE_BACKEND) private readonly backend: QueueBackend) {}

  async onApplicationShutdown() {
    await this.backend.close();
  }
}
