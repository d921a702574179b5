import type { JobOutcome } from '../job-outcome.js';
import type { EndedWork } from '../work-result.js';

/** A run of a job that has ended, whatever came of it. */
export interface EndedRun {
  queue: string;
  jobId: string;
  subject: string;
  /** 1 for the first attempt. */
  attempt: number;
  outcome: JobOutcome;
  startedAt: Date;
  /** Since it was to run; unknown of one that was put off or tried again. */
  waitedMs: number | null;
  ms: number;
  /** What came of the work. */
  work?: EndedWork;
}

export type OutcomeName = JobOutcome['kind'] | 'retried';

export const OUTCOME_NAMES = [
  ...(['done', 'nothing-to-do', 'superseded', 'given-back'] as const),
  ...(['later', 'failed', 'retried'] as const),
] satisfies OutcomeName[];

/** A failure that is not for good has a name of its own. */
export const outcomeName = (outcome: JobOutcome): OutcomeName =>
  outcome.kind === 'failed' && !outcome.final ? 'retried' : outcome.kind;
