import { z } from 'zod';
import type { Config } from '../config.js';
import { CANARY } from './canary.js';
import type { JobRows } from './job-rows.js';
import type { Feature } from './work-result.js';

/** All there is to know about a job, side by side; it types both those who enqueue it and those who run it. */
export interface JobDefinition<Data extends object = object> {
  /** Also the name of its queue: one queue holds one kind of job. */
  readonly name: string;
  readonly data: z.ZodType<Data>;
  readonly attempts: number;
  readonly backoff: { type: 'exponential' | 'fixed'; delay: number };
  /** Jobs at once in each process. */
  readonly concurrency: number | ((config: Config) => number);
  /** Owners of its rows take turns: each process has a few more slots for owners that have none of its others (`FairSlots`). */
  readonly isFair?: boolean;
  /** The rows it stands for. Without them a job is lost with the queue, and may run twice. */
  readonly rows?: JobRows;
  /** What its runs count for, and the results that they report. Without one the job is a feature of its own. */
  readonly feature?: Feature;
}

const catalogue = new Map<string, JobDefinition>();

/** A job that stands for rows. */
export type RowJob<Data extends object = object> = JobDefinition<Data> & { readonly rows: JobRows };

export function defineJob<Data extends object>(definition: RowJob<Data>): RowJob<Data>;
export function defineJob<Data extends object>(definition: JobDefinition<Data>): JobDefinition<Data>;
export function defineJob<Data extends object>(definition: JobDefinition<Data>): JobDefinition<Data> {
  describeJob(definition);
  if (catalogue.has(definition.name)) throw new Error(`two jobs are named "${definition.name}"`);
  catalogue.set(definition.name, definition as unknown as JobDefinition);
  return definition;
}

/** Jobs that must have a handler, whatever the configuration. */
export function allJobs(): JobDefinition[] {
  return [...catalogue.values()];
}

/** A job that depends on the configuration and so is not in the catalogue; `@Handles` takes it from there. */
export function describeJob<Data extends object>(definition: RowJob<Data>): RowJob<Data>;
export function describeJob<Data extends object>(definition: JobDefinition<Data>): JobDefinition<Data>;
export function describeJob<Data extends object>(definition: JobDefinition<Data>): JobDefinition<Data> {
  const isAllowed = /^[a-z][a-z0-9._-]*$/.test(definition.name) && definition.name !== CANARY;
  if (!isAllowed) throw new Error(`a job cannot be named "${definition.name}"`);
  return definition;
}

/** What travels through BullMQ: what the job is about, its data, and how earlier attempts ended. */
export const JobEnvelope = z.object({
  subject: z.string(),
  /** Which run of its row it is for; only jobs with rows have one. */
  run: z.int().optional(),
  /** Whose work it is, where owners take turns. */
  owner: z.string().optional(),
  data: z.unknown(),
  /** The `traceparent` of what it was enqueued by. */
  trace: z.string().optional(),
  failures: z.array(z.object({ at: z.string(), reason: z.string() })).default([]),
  /** How many deaths of its process are recorded already. */
  deaths: z.int().default(0),
  /** When it began to run with no other job beside it, while it does. */
  aloneSince: z.string().optional(),
});
export type JobEnvelope = z.infer<typeof JobEnvelope>;
export type NewEnvelope = z.input<typeof JobEnvelope>;
