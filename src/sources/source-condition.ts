import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { isWaiting, type JobStatus } from '../platform/jobs/job-columns.js';
import { aboutInWords } from '../platform/time/in-words.js';
import { type FetchState, fetchStates } from './fetch-states.table.js';

const ConditionState = z.enum(['ok', 'failing', 'waiting', 'paused', 'gone']);
type ConditionState = z.infer<typeof ConditionState>;

export const SourceCondition = z.strictObject({ state: ConditionState, reason: z.string() });
export type SourceCondition = z.infer<typeof SourceCondition>;

export const ConditionFilter = ConditionState;

/** `waiting` means that no request was sent yet: the host is closed, no worker is connected, or the first fetch is due. */
export const conditionState = (now: Date) => sql<ConditionState>`CASE
  WHEN ${fetchStates.goneAt} IS NOT NULL THEN 'gone'
  WHEN ${fetchStates.activeFollowers} = 0 THEN 'paused'
  WHEN ${fetchStates.waitsForWorker} OR coalesce(${fetchStates.notBefore} > ${now}, false) THEN 'waiting'
  WHEN ${fetchStates.failures} > 0 THEN 'failing'
  WHEN ${fetchStates.lastSuccessAt} IS NULL OR (${fetchStates.lastError} IS NOT NULL AND ${fetchStates.gaps} = '[]') THEN 'waiting'
  ELSE 'ok' END`;

type Known = Pick<
  FetchState,
  | 'goneAt'
  | 'waitsForWorker'
  | 'notBefore'
  | 'failures'
  | 'failingSince'
  | 'lastError'
  | 'lastSuccessAt'
  | 'nextFetchAt'
> &
  JobStatus;

export function conditionReason(state: ConditionState, known: Known, now: Date): string {
  switch (state) {
    case 'gone':
      return `${known.lastError ?? 'It is gone'}. It is fetched again on request, or when somebody follows it.`;
    case 'paused':
      return 'None of its followers has been active lately. It is fetched again when one returns.';
    case 'waiting':
      return waiting(known, now);
    case 'failing':
      return `${known.lastError ?? 'The last fetch failed'}. ${failingFor(known, now)}; ${next('attempt', known, now)}.`;
    case 'ok':
      return `${fetchedAgo(known, now)}; ${next('fetch', known, now)}.${missing(known)}`;
  }
}

function waiting(known: Known, now: Date): string {
  const { waitsForWorker, notBefore, lastError } = known;
  if (waitsForWorker) return `${lastError ?? 'No worker answers'}. It is fetched as soon as a worker is there.`;
  const isClosed = notBefore !== null && notBefore > now;
  if (isClosed && lastError === null) return `Its host asks for a pause; ${next('attempt', known, now)}.`;
  if (lastError !== null) return `${lastError}; ${next('attempt', known, now)}.`;
  return `It has not been fetched yet; ${next('attempt', known, now)}.`;
}

function failingFor({ failingSince, failures }: Known, now: Date): string {
  if (failingSince === null || failures < 2) return 'Failed once';
  return `Failed ${failures} times in ${lasting(failingSince, now)}`;
}

const fetchedAgo = ({ lastSuccessAt }: Known, now: Date) =>
  lastSuccessAt ? `Fetched ${lasting(lastSuccessAt, now)} ago` : 'Fetched';

/** A walk may fail after the newest posts are stored. */
const missing = ({ lastError }: Known) => (lastError === null ? '' : ` Some older posts are missing: ${lastError}.`);

function next(what: 'attempt' | 'fetch', known: Known, now: Date): string {
  const { nextFetchAt } = known;
  if (isWaiting(known) || (nextFetchAt !== null && nextFetchAt <= now)) return `next ${what} now`;
  return nextFetchAt === null ? `no ${what} is planned` : `next ${what} in ${lasting(now, nextFetchAt)}`;
}

const lasting = (from: Date, until: Date) => aboutInWords(Math.max(0, until.getTime() - from.getTime()) / 1_000);
