import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Readiness } from '../platform/api/readiness.js';
import { QUEUE_BACKEND } from '../platform/queue/queue.token.js';
import type { QueueBackend } from '../platform/queue/queue-backend.js';
import { WorkerPools } from '../platform/queue/worker-pools.js';

/** Ready means that the queue answers and that, in a process with workers, all of them run. */
@Injectable()
export class QueueReadiness implements OnModuleInit {
  constructor(
    private readonly readiness: Readiness,
    private readonly pools: WorkerPools,
    @Inject(QUEUE_BACKEND) private readonly backend: QueueBackend,
  ) {}

  onModuleInit() {
    this.readiness.register('queue', async () => {
      await this.backend.ping();
      return this.pools.allRunning ? undefined : 'not all workers are running';
    });
  }
}
