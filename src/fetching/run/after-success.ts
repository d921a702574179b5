import type { FetchState } from '../../sources/fetch-states.table.js';
import type { IntervalRules } from '../intervals/interval.js';
import { learnedRhythm } from '../schedule/learned-rhythm.js';
import { afterFetch } from '../schedule/next-fetch.js';
import { isRequested } from '../schedule/tier-priority.js';

/** What a fetch that succeeded leaves behind. */
export interface Success extends Pick<FetchState, 'validators' | 'allows' | 'gaps' | 'notBefore' | 'lastError'> {
  /** When the posts were published that were not known before. */
  published: Date[];
  /** All that was shown was new: more may have come and gone unseen. */
  cut?: boolean | undefined;
  /** Whose requests its fetches are, where that is known. */
  host?: string | undefined;
  /** Whether the fetch took long, where it was measured. */
  slow?: boolean | undefined;
}

/** All that a fetch that succeeded changes of a source's state. */
export const CHANGED_BY_SUCCESS = [
  ...(['validators', 'allows', 'gaps', 'notBefore', 'lastError', 'host', 'slow'] as const),
  ...(['failures', 'failingSince', 'failing', 'goneAt', 'waitsForWorker'] as const),
  ...(['lastFetchAt', 'lastSuccessAt', 'fetches', 'rhythm', 'rhythmAt', 'postsPerDay'] as const),
  ...(['nextFetchAt', 'intervalSeconds'] as const),
] satisfies (keyof FetchState)[];

type ChangeBySuccess = Pick<FetchState, (typeof CHANGED_BY_SUCCESS)[number]>;

const FINE = { failures: 0, failingSince: null, failing: false, goneAt: null, waitsForWorker: false };

export function afterSuccess(
  state: FetchState,
  { published, cut, host, slow, ...left }: Success,
  { rules, now }: { rules: IntervalRules; now: Date },
): ChangeBySuccess {
  const change = {
    ...FINE,
    ...left,
    host: host ?? state.host,
    slow: slow ?? state.slow,
    lastFetchAt: now,
    lastSuccessAt: now,
    ...learnedRhythm(state, { published, cut, now }),
    fetches: countedFetches(state),
  };
  return { ...change, ...afterFetch({ ...state, ...change }, rules, { now, random: Math.random() }) };
}

/** The budget is for what schedules have fetched: neither a first fetch nor one that somebody asked for is on its account. */
export function isScheduled(state: Pick<FetchState, 'lastFetchAt' | 'jobPriority' | 'jobOwner'>): boolean {
  return state.lastFetchAt !== null && !isRequested(state);
}

export const countedFetches = (state: FetchState) => (isScheduled(state) ? state.fetches + 1 : state.fetches);
