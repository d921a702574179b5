import { setMaxListeners } from 'node:events';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { LOG, type Log } from '../log/log.js';
import { Metrics } from '../metrics/metrics.js';
import { MemoryGuard } from '../process/memory-guard.js';
import { settingOf } from './job-catalogue.js';
import { JobHandlers } from './job-handler.js';
import { JobWorkers } from './job-worker.js';
import { Quarantine } from './quarantine.js';
import { QUEUE_BACKEND, type QueueBackend } from './queue-backend.js';
import { RunMetrics } from './runs/run-metrics.js';
import { WorkerPool } from './worker-pool.js';

@Injectable()
export class PoolPauses {
  constructor(
    private readonly quarantine: Quarantine,
    private readonly memory: MemoryGuard,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Call this before the first job is taken. */
  async open(pools: () => WorkerPool[]): Promise<void> {
    this.quarantine.pools = pools;
    await this.quarantine.open();
  }

  /** Call this when all pools are ready, because each is paused and resumed equally often. */
  watchMemory(pools: () => WorkerPool[]): void {
    this.memory.onChange((isLow) => {
      for (const pool of pools()) void this.change(pool, isLow);
    });
  }

  /** Errors are only logged: a pool that cannot reach its queue takes no jobs either. */
  private async change(pool: WorkerPool, isPaused: boolean): Promise<void> {
    try {
      await (isPaused ? pool.pause() : pool.resume());
    } catch (err) {
      const queue = pool.definition.name;
      this.log.warn({ event: 'pool_not_changed', queue, err }, 'A pool did not pause or resume');
    }
  }
}

@Injectable()
export class WorkerPools implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly pools = new Map<string, WorkerPool>();
  private drained: Promise<void> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(QUEUE_BACKEND) private readonly backend: QueueBackend,
    private readonly handlers: JobHandlers,
    private readonly workers: JobWorkers,
    private readonly pauses: PoolPauses,
  ) {}

  async onApplicationBootstrap() {
    const { backend, config } = this;
    if (!config.roles.has('worker')) return;
    const all = () => this.all();
    await this.pauses.open(all);
    for (const [definition, handler] of this.handlers.served()) {
      const { name } = definition;
      const concurrency = settingOf(definition.concurrency, config);
      const options = { backend, lockMs: config.jobLockMs, concurrency };
      this.pools.set(name, new WorkerPool(this.workers.create(definition, handler, config), options));
    }
    await Promise.all(this.all().map((pool) => pool.ready()));
    this.pauses.watchMemory(all);
  }

  pool(name: string): WorkerPool | undefined {
    return this.pools.get(name);
  }

  all(): WorkerPool[] {
    return [...this.pools.values()];
  }

  get allRunning(): boolean {
    return this.all().every((pool) => pool.isRunning);
  }

  async onModuleDestroy() {
    await this.drain();
  }

  drain(): Promise<void> {
    this.drained ??= this.drainAll();
    return this.drained;
  }

  private async drainAll(): Promise<void> {
    const deadline = AbortSignal.timeout(this.config.shutdownMs);
    // Each pool adds a listener, and Node.js reports more than ten listeners as a leak.
    setMaxListeners(0, deadline);
    await Promise.all(this.all().map((pool) => pool.drain(deadline)));
  }
}

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
    if (this.config.roles.has('worker')) this.runs.expect(this.handlers.served().map(([definition]) => definition));
  }
}
