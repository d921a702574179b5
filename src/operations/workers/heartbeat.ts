import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import type { Config } from '../../platform/config.js';
import { CONFIG } from '../../platform/config.js';
import { NameResolver } from '../../platform/http/name-resolver.js';
import type { Log } from '../../platform/log/log.js';
import { LOG } from '../../platform/log/log.js';
import { VERSION } from '../../platform/process/version.js';
import { WorkerPools } from '../../platform/queue/worker-pools.js';
import { WorkersStore } from './workers.store.js';

const INTERVAL_MS = 5_000;
/** Of each pool. */
const MAX_JOBS_TOLD = 20;

/** Says that this process runs jobs, for as long as it does. */
@Injectable()
export class Heartbeat implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly id = randomUUID();
  private timer: NodeJS.Timeout | undefined;
  private beating: Promise<void> = Promise.resolve();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
    private readonly pools: WorkerPools,
    private readonly workers: WorkersStore,
    private readonly names: NameResolver,
  ) {}

  /** Before anybody looks for workers. */
  async onModuleInit() {
    if (this.config.roles.has('worker')) await this.beat();
  }

  async onApplicationBootstrap() {
    if (!this.config.roles.has('worker')) return;
    await this.beat();
    this.timer = setInterval(() => {
      this.beating = this.beat().catch((err) => this.log.debug({ err }, 'no heartbeat: the database is away'));
    }, INTERVAL_MS).unref();
  }

  /** After the running jobs have ended. */
  async beforeApplicationShutdown() {
    if (!this.timer) return;
    clearInterval(this.timer);
    await this.beating;
    await this.workers
      .remove(this.id)
      .catch((err) => this.log.debug({ err }, 'this worker will be missed for a while'));
  }

  async beat(): Promise<void> {
    const running = this.pools.all().map((pool) => ({
      queue: pool.definition.name,
      running: pool.busy,
      concurrency: pool.capacity,
      jobs: pool.runningJobs(MAX_JOBS_TOLD),
    }));
    await this.workers.beat({
      id: this.id,
      host: hostname(),
      pid: process.pid,
      version: VERSION,
      roles: [...this.config.roles],
      running,
      resolutionProblem: this.names.times.problem() ?? null,
    });
  }
}
