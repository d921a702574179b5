import { setMaxListeners } from 'node:events';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { Database } from '../database/database.js';
import { LOG, type Log } from '../log/log.js';
import { MemoryGuard } from '../process/memory-guard.js';
import { CanaryListener } from './canary.js';
import { JobHandlers } from './job-handler.js';
import { Quarantine } from './quarantine.js';
import { QUEUE_BACKEND, type QueueBackend } from './queue-backend.js';
import { RunRecords } from './runs/run-records.js';
import { WorkerPool } from './worker-pool.js';

/** Starts a pool for every job in a process with the worker role and drains the pools at shutdown. */
@Injectable()
export class WorkerPools implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly pools = new Map<string, WorkerPool>();
  private drained: Promise<void> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
    @Inject(QUEUE_BACKEND) private readonly backend: QueueBackend,
    private readonly database: Database,
    private readonly handlers: JobHandlers,
    private readonly records: RunRecords,
    private readonly canaries: CanaryListener,
    private readonly quarantine: Quarantine,
    private readonly memory: MemoryGuard,
  ) {}

  async onApplicationBootstrap() {
    if (!this.config.roles.has('worker')) return;
    const { backend, database, log, records, canaries, quarantine } = this;
    quarantine.pools = () => this.all();
    await quarantine.open();
    for (const [definition, handler] of this.handlers.all()) {
      const { name, concurrency } = definition;
      const options = {
        lockMs: this.config.jobLockMs,
        concurrency: typeof concurrency === 'number' ? concurrency : concurrency(this.config),
      };
      this.pools.set(
        name,
        new WorkerPool(definition, handler, { backend, database, log, records, canaries, quarantine, ...options }),
      );
    }
    await Promise.all([...this.pools.values()].map((pool) => pool.ready()));
    this.memory.onChange((isLow) => this.takeJobs(!isLow));
  }

  /** Errors are only logged: a pool that cannot reach its queue takes no jobs either. */
  private takeJobs(isWanted: boolean): void {
    for (const pool of this.pools.values())
      (isWanted ? pool.resume() : pool.pause()).catch((err) =>
        this.log.warn(
          { event: 'pool_not_changed', queue: pool.definition.name, err },
          'A pool did not pause or resume',
        ),
      );
  }

  pool(name: string): WorkerPool | undefined {
    return this.pools.get(name);
  }

  all(): WorkerPool[] {
    return [...this.pools.values()];
  }

  get allRunning(): boolean {
    return [...this.pools.values()].every((pool) => pool.isRunning);
  }

  async onModuleDestroy() {
    await this.drain();
  }

  /** Takes no new jobs from now on. Resolves when running jobs have ended or have been given back. */
  drain(): Promise<void> {
    this.drained ??= this.drainAll();
    return this.drained;
  }

  private async drainAll(): Promise<void> {
    const deadline = AbortSignal.timeout(this.config.shutdownMs);
    // Each pool adds a listener, and Node.js reports more than ten listeners as a leak.
    setMaxListeners(0, deadline);
    await Promise.all([...this.pools.values()].map((pool) => pool.drain(deadline)));
  }
}
