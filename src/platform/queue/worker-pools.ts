import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import type { Config } from '../config.js';
import { CONFIG } from '../config.token.js';
import { Database } from '../database/database.js';
import type { Log } from '../log/log.js';
import { LOG } from '../log/log.token.js';
import { allJobs, type JobDefinition } from './job-catalogue.js';
import { HANDLED_JOB, type JobHandler } from './job-handler.js';
import { QUEUE_BACKEND } from './queue.token.js';
import type { QueueBackend } from './queue-backend.js';
import { WorkerPool } from './worker-pool.js';

/** Starts a pool for every job of the catalogue in a process with the worker role, and drains them at the end. */
@Injectable()
export class WorkerPools implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly pools = new Map<string, WorkerPool>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
    @Inject(QUEUE_BACKEND) private readonly backend: QueueBackend,
    private readonly database: Database,
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
  ) {}

  async onApplicationBootstrap() {
    const handlers = this.handlers();
    const missing = allJobs().filter(({ name }) => !handlers.has(name));
    if (missing.length) throw new Error(`no worker handles: ${missing.map(({ name }) => name).join(', ')}`);
    if (!this.config.roles.has('worker')) return;
    const { backend, database, log } = this;
    for (const [definition, handler] of handlers.values()) {
      const pool = new WorkerPool(definition, handler, { backend, database, log, lockMs: this.config.jobLockMs });
      this.pools.set(definition.name, pool);
    }
    await Promise.all([...this.pools.values()].map((pool) => pool.ready()));
  }

  private handlers(): Map<string, [JobDefinition, JobHandler<object>]> {
    const found = new Map<string, [JobDefinition, JobHandler<object>]>();
    for (const { instance, metatype } of this.discovery.getProviders()) {
      if (!instance || !metatype) continue;
      for (const job of this.reflector.get<JobDefinition[] | undefined>(HANDLED_JOB, metatype) ?? []) {
        if (found.has(job.name)) throw new Error(`two workers handle ${job.name}`);
        found.set(job.name, [job, instance as JobHandler<object>]);
      }
    }
    return found;
  }

  pool(name: string): WorkerPool | undefined {
    return this.pools.get(name);
  }

  get allRunning(): boolean {
    return [...this.pools.values()].every((pool) => pool.isRunning);
  }

  async onModuleDestroy() {
    const deadline = AbortSignal.timeout(this.config.shutdownMs);
    await Promise.all([...this.pools.values()].map((pool) => pool.drain(deadline)));
  }
}
