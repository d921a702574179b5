import type { JobOutcome } from './outcomes.js';

/** A neutral result, such as a wait for a rate limit, counts neither for nor against a feature. */
export type ResultKind = 'success' | 'failure' | 'neutral';

export interface Feature<Result extends string = string> {
  /** The name is also the subject of the feature's alerts. */
  readonly name: string;
  /** Every result that its handlers report. `COMMON_RESULTS` are added to them. */
  readonly results: Readonly<Record<Result, ResultKind>>;
  readonly target?: string;
  /** A sentence that says what to check when most targets fail at once. */
  readonly sharedCause?: string;
  /** Names the details of a report as the result of a job in bull-board does. */
  readonly shown?: (details: WorkDetails) => object;
}

/** `done` is for jobs without a feature, `error` for runs that failed without a report. */
export const COMMON_RESULTS = { done: 'success', error: 'failure', postponed: 'neutral' } as const;

export type WorkDetails = Record<string, string | number | boolean | null>;

export interface WorkReport {
  result?: string;
  reason?: string;
  target?: string | undefined;
  details?: WorkDetails;
}

export interface EndedWork extends Omit<WorkReport, 'result'> {
  feature: string;
  /** Null if the run neither did nor tried anything. */
  result: string | null;
  kind: ResultKind;
  cause?: string | null | undefined;
}

interface RunToJudge {
  feature: Feature | undefined;
  jobName: string;
  outcome: JobOutcome;
  report: WorkReport;
  cause?: string | null | undefined;
}

/** A report counts only if it fits the outcome: a reported success that could not be committed is not one. */
export function judgeWork({ feature, jobName, outcome, report, cause }: RunToJudge): EndedWork {
  const reported = report.result === undefined ? undefined : kindOf(feature, report.result);
  const ended = (result: string | null, kind: ResultKind): EndedWork => ({
    ...report,
    feature: feature?.name ?? jobName,
    result,
    kind,
    cause,
  });
  const asReported = () => ended(report.result ?? null, reported ?? 'neutral');
  switch (outcome.kind) {
    case 'done':
      return feature ? asReported() : ended('done', 'success');
    case 'failed':
      return reported === 'failure' ? asReported() : ended('error', 'failure');
    case 'later':
      return reported && reported !== 'success' ? asReported() : ended('postponed', 'neutral');
    default:
      return ended(null, 'neutral');
  }
}

const kindOf = (feature: Feature | undefined, result: string): ResultKind =>
  feature?.results[result] ?? (COMMON_RESULTS as Record<string, ResultKind>)[result] ?? 'neutral';
