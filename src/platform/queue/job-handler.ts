import { SetMetadata } from '@nestjs/common';
import type { Config } from '../config.js';
import type { Db } from '../database/database.js';
import type { JobDefinition } from './job-catalogue.js';
import type { Claim } from './job-rows.js';
import type { WorkReport } from './work-result.js';

/** What a handler may touch while it runs one job. */
export interface JobRun<Result extends string = string> {
  /** The job's id in the queue. */
  readonly id: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** An error ends the job for good. */
  readonly isLastAttempt: boolean;
  /** Aborted when Millrace stops or another worker has taken the job. */
  readonly signal: AbortSignal;
  /** Says what came of the work, for statistics and history. Costs nothing; a later report completes an earlier one. */
  report(report: WorkReport & { result?: Result }): void;
  /** Writes something on the way, or fails if another run took the row. The row's work goes on. */
  write<T>(effect: (db: Db) => Promise<T>): Promise<T>;
  /** Writes the effect and the end of the row's work in one transaction, or nothing if another run took the row. */
  commit<T>(effect: (db: Db) => Promise<T>): Promise<T>;
  /** Like `write`, by a statement that the feature makes for several runs at once: it checks the claims itself. */
  writeTogether<T>(write: TogetherWrite<T>): Promise<T>;
  /** Like `commit`, in the same way: it also ends the row's work. */
  commitTogether<T>(write: TogetherWrite<T>): Promise<T>;
}

/** Undefined if another run took the row. */
type TogetherWrite<T> = (claim: Claim) => Promise<T | undefined>;

export interface JobHandler<Data extends object> {
  /** Ends by returning, by throwing RetryLater or GiveUp, or by any other error, which is retried. */
  run(data: Data, run: JobRun): Promise<void>;
  /** Writes what the last failure means for the feature, in the transaction that writes the dead letter. */
  failed?(db: Db, data: Data, reason: string): Promise<void>;
  /** Takes back what `failed` wrote, in the transaction that puts the job to work anew. */
  replayed?(db: Db, data: Data): Promise<void>;
}

/** For people who cannot see the dead letter, which has the reason. */
export const OUR_MISTAKE = 'something went wrong in Millrace itself; its administrators can see what';

export const HANDLED_JOB = 'millrace:handled-job';

export type HandledJob<Data extends object = object> =
  | JobDefinition<Data>
  | ((config: Config) => JobDefinition<Data>[]);

/** Marks the provider that runs a job: `@Handles(thumbnailJob) class ThumbnailWorker implements JobHandler<ThumbnailJob>`. */
export const Handles = <Data extends object>(...jobs: HandledJob<Data>[]) => SetMetadata(HANDLED_JOB, jobs);
