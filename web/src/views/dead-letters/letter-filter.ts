export interface LetterFilter {
  state: 'open' | 'replayed' | 'discarded' | 'all';
  queue: string;
  /** A substring of the reason. */
  reason: string;
}

export const STATES: LetterFilter['state'][] = ['open', 'replayed', 'discarded', 'all'];

/** The filter is kept in the URL, so that it can be linked to and survives going back. */
export function filterFrom(params: URLSearchParams): LetterFilter {
  return {
    state: STATES.find((state) => state === params.get('state')) ?? 'open',
    queue: params.get('queue') ?? '',
    reason: params.get('reason') ?? '',
  };
}

/** Leaves out defaults. */
export function paramsOf({ state, queue, reason }: LetterFilter): Record<string, string> {
  return { ...(state !== 'open' && { state }), ...(queue && { queue }), ...(reason && { reason }) };
}

/** Query parameters of the API. The state is left out, because bulk actions apply to open ones only. */
export const fitting = ({ queue, reason }: Pick<LetterFilter, 'queue' | 'reason'>) => ({
  ...(queue && { queue }),
  ...(reason && { reason }),
});

/** "all 27 open dead letters of the queue import-item whose reason contains “404”". No `count`, no number. */
export function describeAll({ queue, reason }: LetterFilter, count: number | undefined): string {
  const which = count === undefined ? 'all' : count === 1 ? 'the only' : `all ${count.toLocaleString('en')}`;
  return [
    `${which} open dead letter${count === 1 ? '' : 's'}`,
    queue && `of the queue ${queue}`,
    reason && `whose reason contains “${reason}”`,
  ]
    .filter(Boolean)
    .join(' ');
}
