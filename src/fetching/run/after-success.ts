import type { PostTime } from '../../posts/post.js';
import type { FetchState } from '../../sources/fetch-states.table.js';
import type { IntervalRules } from '../intervals/interval.js';
import { learnedRhythm } from '../schedule/learned-rhythm.js';
import { afterFetch } from '../schedule/next-fetch.js';
import { isRequested } from '../schedule/tier-priority.js';

export interface Success extends Pick<FetchState, 'validators' | 'allows' | 'gaps' | 'notBefore' | 'lastError'> {
  published: PostTime[];
  cut?: boolean | undefined;
  host?: string | undefined;
  slow?: boolean | undefined;
}

export const CHANGED_BY_SUCCESS = [
  ...(['validators', 'allows', 'gaps', 'notBefore', 'lastError', 'host', 'slow'] as const),
  ...(['failures', 'failingSince', 'failing', 'goneAt', 'waitsForWorker'] as const),
  ...(['lastFetchAt', 'lastSuccessAt', 'fetches', 'rhythm', 'rhythmAt', 'postsPerDay'] as const),
  ...(['nextFetchAt', 'intervalSeconds'] as const),
] satisfies (keyof FetchState)[];

type ChangeBySuccess = Pick<FetchState, (typeof CHANGED_BY_SUCCESS)[number]>;

const HEALTHY = { failures: 0, failingSince: null, failing: false, goneAt: null, waitsForWorker: false };

export function afterSuccess(
  state: FetchState,
  { published, cut, host, slow, ...stored }: Success,
  { rules, now }: { rules: IntervalRules; now: Date },
): ChangeBySuccess {
  const change = {
    ...HEALTHY,
    ...stored,
    host: host ?? state.host,
    slow: slow ?? state.slow,
    lastFetchAt: now,
    lastSuccessAt: now,
    ...learnedRhythm(state, { published, cut, now }),
    fetches: countedFetches(state),
  };
  return { ...change, ...afterFetch({ ...state, ...change }, rules, { now, random: Math.random() }) };
}

/** First fetches and fetches that a user requested do not count against the budget. */
export function isScheduled(state: Pick<FetchState, 'lastFetchAt' | 'jobPriority' | 'jobOwner'>): boolean {
  return state.lastFetchAt !== null && !isRequested(state);
}

export const countedFetches = (state: FetchState) => (isScheduled(state) ? state.fetches + 1 : state.fetches);
