import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config.js';
import { NameResolver } from '../../platform/http/name-resolver.js';
import { WorkerPools } from '../../platform/jobs/process-pools.js';
import { LOG, type Log } from '../../platform/log/log.js';
import { VERSION } from '../../platform/process/version.js';
import { WorkersStore } from './workers.store.js';

const INTERVAL_MS = 5_000;
const MAX_REPORTED_JOBS = 20;

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

  /** The first heartbeat is written before anything looks for workers. */
  async onModuleInit() {
    if (this.config.roles.has('worker')) await this.beat();
  }

  async onApplicationBootstrap() {
    if (!this.config.roles.has('worker')) return;
    await this.beat();
    this.timer = setInterval(() => {
      this.beating = this.beat().catch((err) =>
        this.log.debug({ event: 'heartbeat_failed', err }, 'The heartbeat could not be written'),
      );
    }, INTERVAL_MS).unref();
  }

  async beforeApplicationShutdown() {
    if (!this.timer) return;
    clearInterval(this.timer);
    await this.beating;
    await this.workers
      .remove(this.id)
      .catch((err) =>
        this.log.debug({ event: 'worker_not_deregistered', err }, 'The worker could not be deregistered'),
      );
  }

  async beat(): Promise<void> {
    const running = this.pools.all().map((pool) => ({
      queue: pool.definition.name,
      running: pool.busy,
      concurrency: pool.capacity,
      jobs: pool.runningJobs(MAX_REPORTED_JOBS),
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
