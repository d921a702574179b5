import type { JobOutcome } from '../outcomes.js';
import type { EndedWork } from '../work-result.js';

export interface EndedRun {
  queue: string;
  jobId: string;
  subject: string;
  attempt: number;
  outcome: JobOutcome;
  startedAt: Date;
  /** Null for a run that was postponed or retried: the time at which it was due is not known. */
  waitedMs: number | null;
  ms: number;
  work?: EndedWork;
}

export type OutcomeName = JobOutcome['kind'] | 'retried';

export const OUTCOME_NAMES = [
  ...(['done', 'nothing-to-do', 'superseded', 'given-back'] as const),
  ...(['later', 'failed', 'retried'] as const),
] satisfies OutcomeName[];

export const outcomeName = (outcome: JobOutcome): OutcomeName =>
  outcome.kind === 'failed' && !outcome.final ? 'retried' : outcome.kind;
