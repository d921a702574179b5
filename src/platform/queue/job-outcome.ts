import { ZodError } from 'zod';
import { GiveUp, LostClaim, RetryLater } from './outcomes.js';
import { storableText } from './storable.js';

/** How a run ended. */
export type JobOutcome =
  | { kind: 'done' | 'nothing-to-do' | 'superseded' | 'given-back' }
  | { kind: 'later'; until: Date; reason: string }
  | { kind: 'failed'; reason: string; stack: string; final: boolean };

export interface Circumstances {
  lastAttempt: boolean;
  /** Millrace is stopping and has asked the run to end. */
  stopping: boolean;
}

export function judge(error: unknown, { lastAttempt, stopping }: Circumstances): JobOutcome {
  if (error instanceof RetryLater) return { kind: 'later', until: error.until, reason: storableText(error.message) };
  if (error instanceof LostClaim) return { kind: 'superseded' };
  if (error instanceof GiveUp) return failed(error, true);
  if (stopping) return { kind: 'given-back' };
  return failed(error, lastAttempt);
}

function failed(error: unknown, final: boolean): JobOutcome {
  const reason = storableText(describe(error));
  const stack = storableText(error instanceof Error && error.stack ? error.stack : reason);
  return { kind: 'failed', reason, stack, final };
}

function describe(error: unknown): string {
  if (error instanceof ZodError)
    return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  if (error instanceof AggregateError && !error.message) return error.errors.map(describe).join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
}
