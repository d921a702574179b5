import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import { CONFIG, type Config } from '../config.js';
import { allJobs, type JobDefinition } from './job-catalogue.js';
import { HANDLED_JOB, type HandledJob, type JobHandler } from './job-handler.js';

/** Maps each job to its one handler. Two handlers for one job are an error. */
@Injectable()
export class JobHandlers implements OnModuleInit {
  private handlers: Map<string, [JobDefinition, JobHandler<object>]> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit() {
    this.collected();
  }

  /**
   * Throws if a job has no handler, because such a job would be enqueued and never run. Only a complete program can
   * check this.
   */
  requireOneForEachJob(): void {
    const handlers = this.collected();
    const unhandled = allJobs().filter(({ name }) => !handlers.has(name));
    if (unhandled.length) throw new Error(`no worker handles: ${unhandled.map(({ name }) => name).join(', ')}`);
  }

  all(): [JobDefinition, JobHandler<object>][] {
    return [...this.collected().values()];
  }

  find(name: string): [JobDefinition, JobHandler<object>] | undefined {
    return this.collected().get(name);
  }

  /** Returns the queues of a feature. A job without a feature counts as its own. */
  queuesOf(feature: string): string[] {
    return this.all().flatMap(([job]) => ((job.feature?.name ?? job.name) === feature ? [job.name] : []));
  }

  private collected() {
    this.handlers ??= this.collect();
    return this.handlers;
  }

  private collect() {
    const handlers = new Map<string, [JobDefinition, JobHandler<object>]>();
    for (const { instance, metatype } of this.discovery.getProviders()) {
      if (!instance || !metatype) continue;
      for (const job of this.jobsOf(metatype)) {
        if (handlers.has(job.name)) throw new Error(`two workers handle the job ${job.name}`);
        handlers.set(job.name, [job, instance as JobHandler<object>]);
      }
    }
    return handlers;
  }

  private jobsOf(worker: Parameters<Reflector['get']>[1]): JobDefinition[] {
    const handled = this.reflector.get<HandledJob[] | undefined>(HANDLED_JOB, worker) ?? [];
    return handled.flatMap((job) => (typeof job === 'function' ? job(this.config) : [job]));
  }
}
