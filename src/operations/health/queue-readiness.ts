import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Readiness } from '../../platform/api/readiness.js';
import { CONFIG, type Config } from '../../platform/config.js';
import { WorkerPools } from '../../platform/jobs/process-pools.js';
import { QUEUE_BACKEND, type QueueBackend } from '../../platform/jobs/queue-backend.js';
import { Canaries } from '../canaries/canaries.js';
import { CanariesStore } from '../canaries/canaries.store.js';
import { isFull, missedCanaries } from '../canaries/canary-rules.js';
import { WorkersStore } from '../workers/workers.store.js';

/** Ready means that the queue answers and, in a process with workers, that all of them run and canaries return. */
@Injectable()
export class QueueReadiness implements OnModuleInit {
  private readonly known = new Set<string>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(QUEUE_BACKEND) private readonly backend: QueueBackend,
    private readonly readiness: Readiness,
    private readonly pools: WorkerPools,
    private readonly canaries: Canaries,
    private readonly store: CanariesStore,
    private readonly workers: WorkersStore,
  ) {}

  onModuleInit() {
    this.readiness.register('queue', async () => {
      await this.backend.ping();
      return this.pools.allRunning ? undefined : 'not all workers are running';
    });
    // A process without workers can answer requests without them. Taking it out of service would turn one failure into
    // two.
    if (!this.config.roles.has('worker')) return;
    this.readiness.register('canary', () => this.missed());
  }

  private async missed(): Promise<string | undefined> {
    const { alerts, canaryMs } = this.config;
    const seen = { known: this.known, limitMs: alerts.canaryMs + 2 * canaryMs };
    const missed = missedCanaries(this.canaries.paths(), await this.store.read(), seen);
    if (!missed.length) return undefined;
    const workers = await this.workers.known();
    const stuck = missed.filter((path) => !isFull(path, workers));
    return stuck.length ? `has not come back from ${stuck.join(', ')}` : undefined;
  }
}
