import type { Tone } from '../../design/badge';
import { duration } from '../../design/duration';
import type { Run } from './use-runs';

export const OUTCOME_LABELS: Record<Run['outcome'], { name: string; tone: Tone }> = {
  done: { name: 'done', tone: 'good' },
  'nothing-to-do': { name: 'nothing to do', tone: 'plain' },
  superseded: { name: 'superseded', tone: 'plain' },
  'given-back': { name: 'released', tone: 'plain' },
  later: { name: 'postponed', tone: 'plain' },
  failed: { name: 'failed', tone: 'bad' },
  retried: { name: 'retried', tone: 'warning' },
};

/** Milliseconds below one second, else as `duration`. */
export const shortTime = (ms: number) => (ms < 1_000 ? `${Math.round(ms)} ms` : duration(ms / 1_000));

/** "attempt 2, took 340 ms, waited 3 s, triggered by schedule, new 2" */
export function runSummary(run: Pick<Run, 'attempt' | 'ms' | 'waitedMs' | 'cause' | 'details'>): string {
  const { attempt, ms, waitedMs, cause, details } = run;
  const known = Object.entries(details ?? {}).filter(([, value]) => value !== null && value !== 0);
  const waited = waitedMs === null ? [] : [`waited ${shortTime(waitedMs)}`];
  const because = cause ? [`triggered by ${cause}`] : [];
  const brought = known.map(([name, value]) => `${name} ${value}`);
  return [`attempt ${attempt}`, `took ${shortTime(ms)}`, ...waited, ...because, ...brought].join(', ');
}
