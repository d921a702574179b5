import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Readiness } from '../../platform/api/readiness.js';
import { CONFIG, type Config } from '../../platform/config.js';
import { WorkerPools } from '../../platform/jobs/process-pools.js';
import { QUEUE_BACKEND, type QueueBackend } from '../../platform/jobs/queue-backend.js';
import { Canaries } from '../canaries/canaries.js';
import { BROKER_PATH } from '../canaries/canary-rules.js';

/** Ready means that the queue answers and, in a process with workers, that all of them run and canaries return. */
@Injectable()
export class QueueReadiness implements OnModuleInit {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(QUEUE_BACKEND) private readonly backend: QueueBackend,
    private readonly readiness: Readiness,
    private readonly pools: WorkerPools,
    private readonly canaries: Canaries,
  ) {}

  onModuleInit() {
    this.readiness.register('queue', async () => {
      await this.backend.ping();
      return this.pools.allRunning ? undefined : 'not all workers are running';
    });
    // A process without workers can answer requests. Taking it out of service would turn one failure into two.
    if (!this.config.roles.has('worker')) return;
    this.readiness.register('canary', () => this.missed());
  }

  private async missed(): Promise<string | undefined> {
    const isServed = (path: string) => path === BROKER_PATH || this.pools.pool(path) !== undefined;
    const missed = (await this.canaries.missed()).filter(isServed);
    return missed.length ? `has not come back from ${missed.join(', ')}` : undefined;
  }
}
