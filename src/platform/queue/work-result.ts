import type { JobOutcome } from './job-outcome.js';

/** A neutral result, such as a wait for a rate limit, counts neither for nor against a feature. */
export type ResultKind = 'success' | 'failure' | 'neutral';

/** Something the product does. Its error rate is measured over the runs of all of its jobs. */
export interface Feature<Result extends string = string> {
  /** Also the subject of its alerts. */
  readonly name: string;
  /** Every result that its handlers report; `COMMON_RESULTS` come on top. */
  readonly results: Readonly<Record<Result, ResultKind>>;
  /** What the target of a report is, such as a host. */
  readonly target?: string;
  /** What to check when most targets fail at once, as a sentence. */
  readonly sharedCause?: string;
}

/** Results that every feature has: `done` is for jobs without a feature, `error` for runs that failed without a report. */
export const COMMON_RESULTS = { done: 'success', error: 'failure', postponed: 'neutral' } as const;

/** Plain values that say what a run brought. */
export type WorkDetails = Record<string, string | number | boolean | null>;

/** What a handler reports about its work. */
export interface WorkReport {
  /** One of the results that the feature declares. */
  result?: string;
  /** Why the work failed or waits, where the run itself succeeds. */
  reason?: string;
  /** Whom the work depended on, such as the host that was asked. */
  target?: string | undefined;
  details?: WorkDetails;
}

/** What came of the work, beside how the run itself ended. */
export interface EndedWork extends Omit<WorkReport, 'result'> {
  feature: string;
  /** Null if the run has neither done nor tried anything. */
  result: string | null;
  kind: ResultKind;
  /** Who had the job run. */
  cause?: string | null | undefined;
}

interface Judged {
  feature: Feature | undefined;
  jobName: string;
  outcome: JobOutcome;
  report: WorkReport;
  cause?: string | null | undefined;
}

/** A report holds only as far as it fits the outcome: a success that could not be committed is none. */
export function judgeWork({ feature, jobName, outcome, report, cause }: Judged): EndedWork {
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
