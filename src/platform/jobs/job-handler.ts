import { Inject, Injectable, type OnModuleInit, SetMetadata } from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import { CONFIG, type Config } from '../config.js';
import type { Db } from '../database/database.js';
import { StartupError } from '../errors/startup-error.js';
import { allJobs, type JobDefinition, queueNames } from './job-catalogue.js';
import type { Claim } from './job-rows.js';
import type { WorkReport } from './work-result.js';

/** The four writes throw `LostClaim` and write nothing if another run has taken the row. */
export interface JobRun<Result extends string = string> {
  readonly id: string;
  readonly attempt: number;
  readonly isLastAttempt: boolean;
  /** Aborts when Millrace stops or when another worker has taken the job. */
  readonly signal: AbortSignal;
  /** The rows that the claim has read, for a job whose rows say so with `JobRows.reading`. */
  readonly read?: Record<string, object> | undefined;
  /** Only writes to memory. A later report completes an earlier one. */
  report(report: WorkReport & { result?: Result }): void;
  /** Shows how far the run is, in percent, and adds a line to its log. Only writes to memory. */
  progress(percent: number, line: string): void;
  /** Writes an effect while the work continues, in a transaction of its own. */
  write<T>(effect: (db: Db) => Promise<T>): Promise<T>;
  /** Writes an effect and ends the row's work, in one transaction. A run commits once. */
  commit<T>(effect: (db: Db) => Promise<T>): Promise<T>;
  /** Like `write`, with a statement that the feature runs for many claims at once: one with `JobRows.fenced`. */
  writeTogether<T>(write: TogetherWrite<T>): Promise<T>;
  /** Like `commit`, with such a statement, which also ends the row's work: `SET ${JOB_DONE}`. */
  commitTogether<T>(write: TogetherWrite<T>): Promise<T>;
}

type TogetherWrite<T> = (claim: Claim) => Promise<T | undefined>;

export interface JobHandler<Data extends object> {
  /** Ends by returning, by throwing `RetryLater` or `GiveUp`, or by any other error, which is retried. */
  run(data: Data, run: JobRun): Promise<void>;
  /** Runs in the transaction that writes the dead letter. */
  failed?(db: Db, data: Data, reason: string): Promise<void>;
  replayed?(db: Db, data: Data): Promise<void>;
}

/** Shown to users who cannot see the dead letter, which holds the reason. */
export const OUR_MISTAKE = 'something went wrong in Millrace itself; its administrators can see what';

const HANDLED_JOB = 'millrace:handled-job';

type HandledJob<Data extends object = object> = JobDefinition<Data> | ((config: Config) => JobDefinition<Data>[]);

export const Handles = <Data extends object>(...jobs: HandledJob<Data>[]) => SetMetadata(HANDLED_JOB, jobs);

@Injectable()
export class JobHandlers implements OnModuleInit {
  private handlers: Map<string, [JobDefinition, JobHandler<object>]> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit() {
    if (this.config.roles.has('worker')) this.served();
    else this.collected();
  }

  /** Call this only in a complete program: a job without a handler would be enqueued and never run. */
  requireOneForEachJob(): void {
    const handlers = this.collected();
    const unhandled = allJobs().filter(({ name }) => !handlers.has(name));
    if (unhandled.length) throw new Error(`no worker handles: ${unhandled.map(({ name }) => name).join(', ')}`);
  }

  all(): [JobDefinition, JobHandler<object>][] {
    return [...this.collected().values()];
  }

  /** Returns the jobs that this process runs, as `MILLRACE_QUEUES` says. */
  served(): [JobDefinition, JobHandler<object>][] {
    const names = [...this.collected().keys()];
    const patterns = this.config.queues.filter((pattern) => pattern !== '*');
    const unmatched = patterns.filter((pattern) => !names.some((name) => isMatch(pattern, name)));
    if (unmatched.length)
      throw new StartupError(
        `MILLRACE_QUEUES: no queue matches ${unmatched.join(', ')}; the queues are ${names.toSorted().join(', ')}`,
      );
    return this.all().filter(([{ name }]) => runsQueue(this.config, name));
  }

  find(name: string): [JobDefinition, JobHandler<object>] | undefined {
    return this.collected().get(name);
  }

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
    for (const [name, given] of queueNames(this.config))
      if (handlers.has(given))
        throw new StartupError(`the queue of ${name} cannot be named ${given}, because another queue has that name`);
    return handlers;
  }

  private jobsOf(worker: Parameters<Reflector['get']>[1]): JobDefinition[] {
    const handled = this.reflector.get<HandledJob[] | undefined>(HANDLED_JOB, worker) ?? [];
    return handled.flatMap((job) => (typeof job === 'function' ? job(this.config) : [job]));
  }
}

/** Returns whether a process with this configuration runs the jobs of a queue. */
export function runsQueue({ roles, queues }: Pick<Config, 'roles' | 'queues'>, name: string): boolean {
  return roles.has('worker') && queues.some((pattern) => isMatch(pattern, name));
}

function isMatch(pattern: string, name: string): boolean {
  return new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(name);
}
