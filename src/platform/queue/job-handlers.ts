import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import { allJobs, type JobDefinition } from './job-catalogue.js';
import { HANDLED_JOB, type JobHandler } from './job-handler.js';

/** Who runs what. Refuses to start with a job that nobody, or more than one, would run. */
@Injectable()
export class JobHandlers implements OnModuleInit {
  private readonly handlers = new Map<string, [JobDefinition, JobHandler<object>]>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit() {
    for (const { instance, metatype } of this.discovery.getProviders()) {
      if (!instance || !metatype) continue;
      for (const job of this.reflector.get<JobDefinition[] | undefined>(HANDLED_JOB, metatype) ?? []) {
        if (this.handlers.has(job.name)) throw new Error(`two workers handle the job ${job.name}`);
        this.handlers.set(job.name, [job, instance as JobHandler<object>]);
      }
    }
    const unhandled = allJobs().filter(({ name }) => !this.handlers.has(name));
    if (unhandled.length) throw new Error(`no worker handles: ${unhandled.map(({ name }) => name).join(', ')}`);
  }

  all(): [JobDefinition, JobHandler<object>][] {
    return [...this.handlers.values()];
  }

  find(name: string): [JobDefinition, JobHandler<object>] | undefined {
    return this.handlers.get(name);
  }
}
