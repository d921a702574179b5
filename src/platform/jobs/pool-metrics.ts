import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { Metrics } from '../metrics/metrics.js';
import { JobHandlers } from './job-handler.js';
import { RunMetrics } from './runs/run-metrics.js';
import { WorkerPools } from './worker-pools.js';

@Injectable()
export class PoolMetrics implements OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly handlers: JobHandlers,
    private readonly runs: RunMetrics,
    pools: WorkerPools,
    metrics: Metrics,
  ) {
    metrics.gauge({
      name: 'pool_size',
      help: 'Jobs that this process runs at once. A few more may run for owners that have nothing running.',
      labels: ['queue'],
      read: () => pools.all().map(({ definition: { name }, concurrency }) => ({ queue: name, value: concurrency })),
    });
    metrics.gauge({
      name: 'pool_busy',
      help: 'Jobs that this process runs just now.',
      labels: ['queue'],
      read: () => pools.all().map(({ definition: { name }, busy }) => ({ queue: name, value: busy })),
    });
  }

  onApplicationBootstrap() {
    if (this.config.roles.has('worker')) this.runs.expect(this.handlers.all().map(([definition]) => definition));
  }
}
