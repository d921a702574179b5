import { z } from 'zod';
import type { Config } from '../config.js';
import { CANARY } from './canary.js';
import type { JobRows } from './job-rows.js';
import type { Feature } from './work-result.js';

export interface JobDefinition<Data extends object = object> {
  /** Also the name of its queue. A queue holds one kind of job. */
  readonly name: string;
  readonly data: z.ZodType<Data>;
  readonly attempts: number;
  readonly backoff: { type: 'exponential' | 'fixed'; delay: number };
  readonly concurrency: number | ((config: Config) => number);
  readonly isFair?: boolean;
  /** The rows that the job stands for. A job without rows is lost when the queue is lost, and it may run twice. */
  readonly rows?: JobRows;
  readonly feature?: Feature;
}

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
