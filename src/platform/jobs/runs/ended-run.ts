import type { JobOutcome } from '../outcomes.js';
import type { EndedWork } from '../work-result.js';

/** A run that has ended with any outcome. */
export interface EndedRun {
  queue: string;
  jobId: string;
  subject: string;
  /** 1 for the first attempt. */
  attempt: number;
  outcome: JobOutcome;
  startedAt: Date;
  /** Time between the moment it was due and its start. Null for a run that was postponed or retried. */
  waitedMs: number | null;
  ms: number;
  work?: EndedWork;
}

export type OutcomeName = JobOutcome['kind'] | 'retried';

export const OUTCOME_NAMES = [
  ...(['done', 'nothing-to-do', 'superseded', 'given-back'] as const),
  ...(['later', 'failed', 'retried'] as const),
] satisfies OutcomeName[];

/** A failure that will be retried has its own name. */
export const outcomeName = (outcome: JobOutcome): OutcomeName =>
  outcome.kind === 'failed' && !outcome.final ? 'retried' : outcome.kind;
