import { redactText } from '../redact.js';
import { storableText } from './storable.js';

/** Ends a run without costing an attempt. The job runs again at `until`. */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';

  constructor(
    readonly until: Date,
    reason: string,
  ) {
    super(reason);
  }
}

export class GiveUp extends Error {
  override readonly name = 'GiveUp';
}

export class LostClaim extends Error {
  override readonly name = 'LostClaim';
}

export type JobOutcome =
  | { kind: 'done' | 'nothing-to-do' | 'superseded' | 'given-back' }
  /** `isError` marks a delay that the handler did not ask for. */
  | { kind: 'later'; until: Date; reason: string; isError?: boolean }
  | { kind: 'failed'; reason: string; stack: string; final: boolean };

export interface Circumstances {
  lastAttempt: boolean;
  aborted: boolean;
  stopping: boolean;
}

export function judge(error: unknown, { lastAttempt, aborted, stopping }: Circumstances): JobOutcome {
  if (error instanceof RetryLater) return { kind: 'later', until: error.until, reason: shown(error.message) };
  if (error instanceof LostClaim) return { kind: 'superseded' };
  if (error instanceof GiveUp) return failed(error, true);
  if (aborted) return { kind: stopping ? 'given-back' : 'superseded' };
  return failed(error, lastAttempt);
}

function failed(error: unknown, final: boolean): JobOutcome {
  const reason = shown(errorMessage(error));
  const stack = error instanceof Error && error.stack ? shown(error.stack) : reason;
  return { kind: 'failed', reason, stack, final };
}

/** People other than the owner of an address read reasons in runs and dead letters, so they are redacted. */
const shown = (text: string) => redactText(storableText(text));

export function errorMessage(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return error.errors.map(errorMessage).join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
}
