import { z } from 'zod';
import type { Config } from '../config.js';
import { CANARY } from './canary.js';
import type { JobRows } from './job-rows.js';
import type { Feature } from './work-result.js';

export interface JobDefinition<Data extends object = object> {
  /** Also the name of its queue, unless `queueName` gives another. A queue holds one kind of job. */
  readonly name: string;
  readonly data: z.ZodType<Data>;
  /** The name of its queue in BullMQ, if it can be configured. */
  readonly queueName?: (config: Config) => string;
  readonly attempts: Setting;
  /** The delay is in milliseconds. */
  readonly backoff: { type: 'exponential' | 'fixed'; delay: Setting };
  readonly concurrency: Setting;
  readonly isFair?: boolean;
  /** The rows that the job stands for. A job without rows is lost when the queue is lost, and it may run twice. */
  readonly rows?: JobRows;
  readonly feature?: Feature;
}

type Setting = number | ((config: Config) => number);

export const settingOf = (setting: Setting, config: Config): number =>
  typeof setting === 'number' ? setting : setting(config);

const catalogue = new Map<string, JobDefinition>();

export type RowJob<Data extends object = object> = JobDefinition<Data> & { readonly rows: JobRows };

export function defineJob<Data extends object>(definition: RowJob<Data>): RowJob<Data>;
export function defineJob<Data extends object>(definition: JobDefinition<Data>): JobDefinition<Data>;
export function defineJob<Data extends object>(definition: JobDefinition<Data>): JobDefinition<Data> {
  describeJob(definition);
  if (catalogue.has(definition.name)) throw new Error(`two jobs are named "${definition.name}"`);
  catalogue.set(definition.name, definition as unknown as JobDefinition);
  return definition;
}

export function allJobs(): JobDefinition[] {
  return [...catalogue.values()];
}

/** Returns the names in BullMQ of the queues that are configured to have another one there. */
export function queueNames(config: Config): ReadonlyMap<string, string> {
  const named = allJobs().map(({ name, queueName }) => [name, queueName?.(config) ?? name] as const);
  return new Map(named.filter(([name, given]) => given !== name));
}

/** For a job that depends on the configuration and is therefore not in the catalogue. `@Handles` registers it. */
export function describeJob<Data extends object>(definition: RowJob<Data>): RowJob<Data>;
export function describeJob<Data extends object>(definition: JobDefinition<Data>): JobDefinition<Data>;
export function describeJob<Data extends object>(definition: JobDefinition<Data>): JobDefinition<Data> {
  const isAllowed = /^[a-z][a-z0-9._-]*$/.test(definition.name) && definition.name !== CANARY;
  if (!isAllowed) throw new Error(`a job cannot be named "${definition.name}"`);
  return definition;
}

export const JobEnvelope = z.object({
  subject: z.string(),
  run: z.int().optional(),
  owner: z.string().optional(),
  data: z.unknown(),
  trace: z.string().optional(),
  failures: z.array(z.object({ at: z.string(), reason: z.string() })).default([]),
  deaths: z.int().default(0),
  /** Set while the job runs beside nothing but this many other suspects of the quarantine. */
  apart: z.object({ since: z.string(), others: z.int() }).optional(),
  /** Whether the job may not even run beside other suspects. */
  isSolitary: z.boolean().optional(),
});
export type JobEnvelope = z.infer<typeof JobEnvelope>;
export type NewEnvelope = z.input<typeof JobEnvelope>;
