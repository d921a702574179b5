import type { Tone } from '../../design/badge';
import { duration } from '../../design/duration';
import type { Run } from './use-runs';

/** How a run ended, in a word or two. */
export const OUTCOME_WORDS: Record<Run['outcome'], { name: string; tone: Tone }> = {
  done: { name: 'done', tone: 'good' },
  'nothing-to-do': { name: 'nothing to do', tone: 'plain' },
  superseded: { name: 'superseded', tone: 'plain' },
  'given-back': { name: 'given back', tone: 'plain' },
  later: { name: 'put off', tone: 'plain' },
  failed: { name: 'failed for good', tone: 'bad' },
  retried: { name: 'failed, tried again', tone: 'warning' },
};

/** "340 ms", and from a second on as other times. */
export const shortTime = (ms: number) => (ms < 1_000 ? `${Math.round(ms)} ms` : duration(ms / 1_000));

/** "attempt 2, took 340 ms, had waited 3 s, because of schedule, new 2" */
export function courseInWords(run: Pick<Run, 'attempt' | 'ms' | 'waitedMs' | 'cause' | 'details'>): string {
  const { attempt, ms, waitedMs, cause, details } = run;
  const told = Object.entries(details ?? {}).filter(([, value]) => value !== null && value !== 0);
  const waited = waitedMs === null ? [] : [`had waited ${shortTime(waitedMs)}`];
  const because = cause ? [`because of ${cause}`] : [];
  const brought = told.map(([name, value]) => `${name} ${value}`);
  return [`attempt ${attempt}`, `took ${shortTime(ms)}`, ...waited, ...because, ...brought].join(', ');
}
